/// Ends the program with `sentence`, which names the fix, if a value cannot be meant.
///
/// Unlike `precondition`, it prints the sentence in optimized builds too.
@inline(__always)
package func refuse(if isMeaningless: Bool, _ sentence: @autoclosure () -> String) {
  if isMeaningless { fatalError(sentence()) }
}
