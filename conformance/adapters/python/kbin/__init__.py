# SPDX-License-Identifier: Apache-2.0
"""A second, independent reading of the KBIN lowering.

Written from the specification alone, with the standard library alone. It is
an implementation to compare against, not the reference and not a library for
production use.
"""

VERSION = "1.0"
