import Simulator
import Synchronization

private enum Example {
  // example
}
