internal import CProcesses
internal import Foundation

/// The output that a child leaves for the process that made it: its answer, what it reported before that, and what it
/// wrote to standard error. It serves one child after the other.
///
/// Safe because the memory lives as long as this object, only one child writes it at a time, and its reader copies what
/// is there.
@safe final class ChildOutput {
  /// The descriptor that a child's standard error goes to.
  let errors = cp_capture_open()
  private let answers: OpaquePointer

  /// Creates the shared memory; nil if there is none.
  init?() {
    guard let answers = unsafe cp_answers_create() else {
      cp_close(errors)
      return nil
    }
    unsafe self.answers = answers
  }

  deinit {
    unsafe cp_answers_destroy(answers)
    cp_close(errors)
  }

  /// Makes room for the next child's answer.
  func clear() { unsafe cp_answers_clear(answers) }

  /// True if the last child has left an answer.
  var hasAnswer: Bool {
    var size = 0
    return unsafe cp_answers_find(answers, true, &size) != nil
  }

  /// The answer of the last child; nil if it left none.
  var answer: Data? { last(isAnswer: true) }

  /// The last report of the last child before its answer; nil if it reported nothing.
  var told: Data? { last(isAnswer: false) }

  private func last(isAnswer: Bool) -> Data? {
    var size = 0
    return unsafe cp_answers_find(answers, isAnswer, &size).map { unsafe Data(bytes: $0, count: size) }
  }

  /// In the child: leaves an answer. Returns false if there is no room for it.
  func leave(_ answer: Data) -> Bool { leave(answer, isAnswer: true) }

  /// In the child: reports what is known before there is an answer.
  func tell(_ news: Data) { _ = leave(news, isAnswer: false) }

  private func leave(_ data: Data, isAnswer: Bool) -> Bool {
    unsafe data.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answers_leave(answers, isAnswer, base, buffer.count)
    }
  }
}
