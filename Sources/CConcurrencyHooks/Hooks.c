#include "CConcurrencyHooks.h"
