internal import CProcesses
internal import Foundation

/// What a child leaves for the process that made it: its answer, what it had to tell before, and what it has written to its
/// standard error. It serves one child after the other.
///
/// Safe because the memory lives as long as this, one child writes it at a time, and who reads it copies what is there.
@safe final class ChildOutput {
  /// Where a child's standard error goes.
  let errors = cp_capture_open()
  private let answers: OpaquePointer

  /// Nil where there is no memory to share.
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

  /// Whether the last child has left an answer.
  var hasAnswer: Bool {
    var size = 0
    return unsafe cp_answers_find(answers, true, &size) != nil
  }

  /// What the last child has answered; nil where it has not.
  var answer: Data? { last(isAnswer: true) }

  /// What it told last before that; nil where it told nothing.
  var told: Data? { last(isAnswer: false) }

  private func last(isAnswer: Bool) -> Data? {
    var size = 0
    return unsafe cp_answers_find(answers, isAnswer, &size).map { unsafe Data(bytes: $0, count: size) }
  }

  /// In the child: leaves an answer. Whether there is room for it.
  func leave(_ answer: Data) -> Bool { leave(answer, isAnswer: true) }

  /// In the child: leaves what is known before there is an answer.
  func tell(_ news: Data) { _ = leave(news, isAnswer: false) }

  private func leave(_ data: Data, isAnswer: Bool) -> Bool {
    unsafe data.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return false }
      return unsafe cp_answers_leave(answers, isAnswer, base, buffer.count)
    }
  }
}
