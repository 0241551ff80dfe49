#include "CIndexStore.h"

#include <dlfcn.h>
#include <string.h>

#define FIND(name)                                                     \
  do {                                                                 \
    void *found = dlsym(library, "indexstore_" #name);                 \
    if (!found) return "the function indexstore_" #name " is missing"; \
    memcpy(&functions->name, &found, sizeof found);                    \
  } while (0)

const char *indexstore_load(const char *path, indexstore_functions *functions) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  FIND(store_create);
  FIND(store_dispose);
  FIND(store_units_apply_f);
  FIND(unit_reader_create);
  FIND(unit_reader_dispose);
  FIND(unit_reader_get_modification_time);
  FIND(unit_reader_get_main_file);
  FIND(unit_reader_dependencies_apply_f);
  FIND(unit_dependency_get_kind);
  FIND(unit_dependency_get_name);
  FIND(unit_dependency_get_filepath);
  FIND(record_reader_create);
  FIND(record_reader_dispose);
  FIND(record_reader_occurrences_apply_f);
  FIND(occurrence_get_symbol);
  FIND(occurrence_get_roles);
  FIND(occurrence_get_line_col);
  FIND(occurrence_relations_apply_f);
  FIND(symbol_relation_get_roles);
  FIND(symbol_relation_get_symbol);
  FIND(symbol_get_name);
  FIND(symbol_get_usr);
  FIND(error_get_description);
  FIND(error_dispose);
  return NULL;
}
