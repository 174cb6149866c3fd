// SPDX-License-Identifier: Apache-2.0
// A model put to a subject: its members, what its manifests say, one `lower` request a graph, and the
// answers, each asked for once. Shared by the properties; internal to this room.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/properties/property.h"
#include "oracle/image/image.h"
#include "oracle/tree/tree.h"

namespace assay::harness {

// Where nothing says which row a failure breaks: an implementation that refuses a valid model and
// does not say why.
inline constexpr std::string_view kNoRow = "SEC-001";

class Asked {
 public:
  explicit Asked(const Model& model) : Asked(model, to_members(model)) {}
  Asked(const Model& model, Members members)
      : model_(model), options_(model.options), members_(std::move(members)),
        manifest_(read_manifest(members_, model.options)) {}
  // With the subject's answer to each graph's request, as far as there are images.
  Asked(const Model& model, Members members, const Subject& subject, std::vector<Buffer> images);

  // The model, which outlives this.
  const Model& model() const { return model_; }

  const Members& members() const { return members_; }
  const Options& options() const { return options_; }
  const Result<Manifest>& manifest() const { return manifest_; }
  std::size_t graphs() const { return manifest_ ? manifest_->graphs.size() : 0; }
  LowerRequest request(std::size_t graph) const;

  // The subject's answer to a graph's request: asked for once, then remembered.
  const Reply<Buffer>& answer(const Subject& subject, std::size_t graph) const;
  // The image of that answer, or nullptr: refused, or not to be walked.
  const View* view(const Subject& subject, std::size_t graph) const;
  // Whether it is an image in which the verifier finds nothing.
  bool valid(const Subject& subject, std::size_t graph) const;
  // The tree of a graph that the subject lowers as the oracle does, else nullptr: then another property
  // says so. What is read off the document by itself is held against this.
  const Tree* agreed_tree(const Subject& subject, std::size_t graph) const;

 private:
  struct Answer {
    const Subject* subject;
    std::size_t graph;
    Reply<Buffer> reply;
    bool viewed = false, agreed = false;  // whether these were looked for
    bool valid = false;
    std::optional<View> view;
    std::optional<Tree> tree;
  };
  Answer& remembered(const Subject& subject, std::size_t graph) const;

  const Model& model_;
  Options options_;
  Members members_;
  Result<Manifest> manifest_;
  mutable std::deque<Answer> answers_;
};

// The model asked about: by itself, or as one with the others of an AskOnce.
std::shared_ptr<const Asked> ask_about(const Model& model);
// The answer to a dtype request, likewise.
std::shared_ptr<const Reply<DtypeAnswer>> ask_dtype(const Subject& subject, const DtypeRequest& request);

// The oracle's answers, against which others are held.
const Subject& reference();

// The answer to each graph's request, up to the first that is not ok. They live as long as `asked`.
std::vector<const Reply<Buffer>*> lower_all(const Subject& subject, const Asked& asked);

// Runs `check` on the view of each image that the subject lowers the model to and that can be walked;
// other images, and refusals, are the business of other properties.
Verdict each_view(const Subject& subject, const Model& model,
                  const std::function<void(const View&, const LowerRequest&, std::vector<Violation>&)>& check);

// Runs `check` on the tree of each graph that the subject lowers as the oracle does.
Verdict each_agreed(const Subject& subject, const Model& model,
                    const std::function<void(const Asked&, std::size_t graph, const Tree&, std::vector<Violation>&)>& check);

// True when the subject gives the same image again.
bool is_steady(const Subject& subject, const LowerRequest& request, const Buffer& image);

// The answer to a whole file held against the oracle's.
std::vector<Violation> compare_files(const Reply<LowerNeffAnswer>& reply, const Reply<LowerNeffAnswer>& expected);

bool equal(ByteView a, ByteView b);

}  // namespace assay::harness
