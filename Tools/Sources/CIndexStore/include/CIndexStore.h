#pragma once
// The part of libIndexStore's C interface that the layer check uses. The library lies in every Swift toolchain; it is
// loaded at run time, because the compiler's search paths do not cover it.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *_Nullable data;
  size_t length;
} indexstore_text;

enum {
  INDEXSTORE_DECLARATION = 1 << 0,
  INDEXSTORE_DEFINITION = 1 << 1,
  INDEXSTORE_REFERENCE = 1 << 2,
  INDEXSTORE_IMPLICIT = 1 << 8,
  INDEXSTORE_CHILD_OF = 1 << 9,
};
enum { INDEXSTORE_RECORD_DEPENDENCY = 2 };

typedef bool (*_Nonnull indexstore_text_visitor)(void *_Nullable context, indexstore_text text);
typedef bool (*_Nonnull indexstore_visitor)(void *_Nullable context, void *_Nonnull item);

// Each member is the function `indexstore_<member>` of the library.
typedef struct {
  void *_Nullable (*_Nonnull store_create)(const char *_Nonnull path, void *_Nullable *_Nullable error);
  void (*_Nonnull store_dispose)(void *_Nonnull store);
  bool (*_Nonnull store_units_apply_f)(void *_Nonnull store, unsigned sorted, void *_Nullable context,
                                       indexstore_text_visitor visit);
  void *_Nullable (*_Nonnull unit_reader_create)(void *_Nonnull store, const char *_Nonnull name,
                                                 void *_Nullable *_Nullable error);
  void (*_Nonnull unit_reader_dispose)(void *_Nonnull unit);
  void (*_Nonnull unit_reader_get_modification_time)(void *_Nonnull unit, int64_t *_Nonnull seconds,
                                                     int64_t *_Nonnull nanoseconds);
  indexstore_text (*_Nonnull unit_reader_get_main_file)(void *_Nonnull unit);
  bool (*_Nonnull unit_reader_dependencies_apply_f)(void *_Nonnull unit, void *_Nullable context,
                                                    indexstore_visitor visit);
  int (*_Nonnull unit_dependency_get_kind)(void *_Nonnull dependency);
  indexstore_text (*_Nonnull unit_dependency_get_name)(void *_Nonnull dependency);
  indexstore_text (*_Nonnull unit_dependency_get_filepath)(void *_Nonnull dependency);
  void *_Nullable (*_Nonnull record_reader_create)(void *_Nonnull store, const char *_Nonnull name,
                                                   void *_Nullable *_Nullable error);
  void (*_Nonnull record_reader_dispose)(void *_Nonnull record);
  bool (*_Nonnull record_reader_occurrences_apply_f)(void *_Nonnull record, void *_Nullable context,
                                                     indexstore_visitor visit);
  void *_Nonnull (*_Nonnull occurrence_get_symbol)(void *_Nonnull occurrence);
  uint64_t (*_Nonnull occurrence_get_roles)(void *_Nonnull occurrence);
  void (*_Nonnull occurrence_get_line_col)(void *_Nonnull occurrence, unsigned *_Nonnull line,
                                           unsigned *_Nonnull column);
  bool (*_Nonnull occurrence_relations_apply_f)(void *_Nonnull occurrence, void *_Nullable context,
                                                indexstore_visitor visit);
  uint64_t (*_Nonnull symbol_relation_get_roles)(void *_Nonnull relation);
  void *_Nonnull (*_Nonnull symbol_relation_get_symbol)(void *_Nonnull relation);
  indexstore_text (*_Nonnull symbol_get_name)(void *_Nonnull symbol);
  indexstore_text (*_Nonnull symbol_get_usr)(void *_Nonnull symbol);
  const char *_Nonnull (*_Nonnull error_get_description)(void *_Nonnull error);
  void (*_Nonnull error_dispose)(void *_Nonnull error);
} indexstore_functions;

// Answers null when every function was found, else what was missing. The library stays loaded until the process ends.
const char *_Nullable indexstore_load(const char *_Nonnull library, indexstore_functions *_Nonnull functions);
