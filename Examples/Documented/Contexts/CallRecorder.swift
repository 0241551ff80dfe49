import Simulator

private enum Example {
  // example
}
