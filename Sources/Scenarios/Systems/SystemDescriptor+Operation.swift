extension SystemDescriptor {
  /// One thing that a system asks of a fake.
  public struct Operation: Hashable, Sendable {
    /// Its key in the fake's entry, such as `GET /inbox` or `write`.
    public var name: String
    /// One line.
    public var summary: String
    /// What `"reply"` may name, the natural one first; empty when it takes no `"reply"`.
    public var replies: [String]
    /// What `"fails"` may name, the natural one first; empty when it takes no `"fails"`.
    public var faults: [String]
    /// What else may be set; `reply` and `fails` follow from the two lists.
    public var takes: Set<OperationKey>

    /// An operation.
    public init(
      _ name: String, _ summary: String, replies: [String] = [], faults: [String] = [],
      takes: Set<OperationKey> = [.delay, .spend, .ignoresCancel, .calls]
    ) {
      self.name = name
      self.summary = summary
      self.replies = replies
      self.faults = faults
      self.takes = takes
    }
  }
}

extension SystemDescriptor.Operation {
  /// The keys that a file may give this operation, in the order in which they are explained.
  var keys: [OperationKey] {
    OperationKey.allCases.filter { key in
      switch key {
      case .reply: !replies.isEmpty
      case .fails: !faults.isEmpty
      default: takes.contains(key)
      }
    }
  }
}
