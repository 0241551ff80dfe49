import Simulator

private actor Weather {}

// example
