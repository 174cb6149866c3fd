# SPDX-License-Identifier: Apache-2.0
# `cmake --install TREE [--prefix DIR]`: the tool and what belongs to it.
install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/assay
  FILES_MATCHING PATTERN "*.schema.json")
install(DIRECTORY corpus/spec/ DESTINATION ${CMAKE_INSTALL_DATADIR}/assay
  FILES_MATCHING PATTERN "*.json")
install(DIRECTORY conformance/vectors/ DESTINATION ${CMAKE_INSTALL_DATADIR}/assay/vectors
  FILES_MATCHING PATTERN "*.json" PATTERN "sources" EXCLUDE)
install(FILES conformance/protocol/assay_impl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES cli/man/assay.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES cli/completions/assay.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME assay)
install(FILES cli/completions/_assay DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES cli/completions/assay.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
