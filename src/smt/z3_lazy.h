/* Z3, loaded when it is first needed.
 *
 * The library is large: loading it takes longer than deciding an automaton. So nothing is linked
 * against it; the functions that are used here are looked up in it on the first call. Includers
 * write Z3_mk_config() as always. Whoever makes a context asks z3_is_available first; without that
 * no other call is made. Threads may call at the same time. */
#ifndef COUPLET_SMT_Z3_LAZY_H
#define COUPLET_SMT_Z3_LAZY_H

#include <stdbool.h>
#include <z3.h>

#define Z3_LAZY_FUNCTIONS(F)                                                                       \
  F(Z3_ast_vector_dec_ref)                                                                         \
  F(Z3_ast_vector_get)                                                                             \
  F(Z3_ast_vector_inc_ref)                                                                         \
  F(Z3_ast_vector_size)                                                                            \
  F(Z3_del_config)                                                                                 \
  F(Z3_del_context)                                                                                \
  F(Z3_func_entry_dec_ref)                                                                         \
  F(Z3_func_entry_get_arg)                                                                         \
  F(Z3_func_entry_get_value)                                                                       \
  F(Z3_func_entry_inc_ref)                                                                         \
  F(Z3_func_interp_dec_ref)                                                                        \
  F(Z3_func_interp_get_else)                                                                       \
  F(Z3_func_interp_get_entry)                                                                      \
  F(Z3_func_interp_get_num_entries)                                                                \
  F(Z3_func_interp_inc_ref)                                                                        \
  F(Z3_get_algebraic_number_lower)                                                                 \
  F(Z3_get_algebraic_number_upper)                                                                 \
  F(Z3_get_app_arg)                                                                                \
  F(Z3_get_app_decl)                                                                               \
  F(Z3_get_app_num_args)                                                                           \
  F(Z3_get_as_array_func_decl)                                                                     \
  F(Z3_get_ast_kind)                                                                               \
  F(Z3_get_bool_value)                                                                             \
  F(Z3_get_decl_kind)                                                                              \
  F(Z3_get_decl_name)                                                                              \
  F(Z3_get_error_code)                                                                             \
  F(Z3_get_error_msg)                                                                              \
  F(Z3_get_full_version)                                                                           \
  F(Z3_get_numeral_string)                                                                         \
  F(Z3_get_symbol_kind)                                                                            \
  F(Z3_get_symbol_string)                                                                          \
  F(Z3_get_version)                                                                                \
  F(Z3_is_algebraic_number)                                                                        \
  F(Z3_mk_config)                                                                                  \
  F(Z3_mk_context_rc)                                                                              \
  F(Z3_mk_params)                                                                                  \
  F(Z3_mk_simple_solver)                                                                           \
  F(Z3_mk_solver)                                                                                  \
  F(Z3_mk_solver_from_tactic)                                                                      \
  F(Z3_mk_string_symbol)                                                                           \
  F(Z3_mk_tactic)                                                                                  \
  F(Z3_model_dec_ref)                                                                              \
  F(Z3_model_get_const_decl)                                                                       \
  F(Z3_model_get_const_interp)                                                                     \
  F(Z3_model_get_func_decl)                                                                        \
  F(Z3_model_get_func_interp)                                                                      \
  F(Z3_model_get_num_consts)                                                                       \
  F(Z3_model_get_num_funcs)                                                                        \
  F(Z3_model_inc_ref)                                                                              \
  F(Z3_model_translate)                                                                            \
  F(Z3_params_dec_ref)                                                                             \
  F(Z3_params_inc_ref)                                                                             \
  F(Z3_params_set_uint)                                                                            \
  F(Z3_parse_smtlib2_string)                                                                       \
  F(Z3_set_error_handler)                                                                          \
  F(Z3_solver_assert)                                                                              \
  F(Z3_solver_check)                                                                               \
  F(Z3_solver_dec_ref)                                                                             \
  F(Z3_solver_get_model)                                                                           \
  F(Z3_solver_get_reason_unknown)                                                                  \
  F(Z3_solver_get_statistics)                                                                      \
  F(Z3_solver_inc_ref)                                                                             \
  F(Z3_solver_set_params)                                                                          \
  F(Z3_stats_dec_ref)                                                                              \
  F(Z3_stats_get_key)                                                                              \
  F(Z3_stats_get_uint_value)                                                                       \
  F(Z3_stats_inc_ref)                                                                              \
  F(Z3_stats_is_uint)                                                                              \
  F(Z3_stats_size)                                                                                 \
  F(Z3_tactic_dec_ref)                                                                             \
  F(Z3_tactic_inc_ref)                                                                             \
  F(Z3_to_app)

#define Z3_LAZY_FIELD(name) __typeof__(name) *name##_;
struct z3_lazy {
  Z3_LAZY_FUNCTIONS(Z3_LAZY_FIELD)
};

/* False: the library is not there, or not the right one; *why (a text that stays) says so. */
bool z3_is_available(const char **why);
/* The functions; only if it is available. */
const struct z3_lazy *z3_lazy(void);

#ifndef Z3_LAZY_ITSELF
#define Z3_ast_vector_dec_ref (z3_lazy()->Z3_ast_vector_dec_ref_)
#define Z3_ast_vector_get (z3_lazy()->Z3_ast_vector_get_)
#define Z3_ast_vector_inc_ref (z3_lazy()->Z3_ast_vector_inc_ref_)
#define Z3_ast_vector_size (z3_lazy()->Z3_ast_vector_size_)
#define Z3_del_config (z3_lazy()->Z3_del_config_)
#define Z3_del_context (z3_lazy()->Z3_del_context_)
#define Z3_func_entry_dec_ref (z3_lazy()->Z3_func_entry_dec_ref_)
#define Z3_func_entry_get_arg (z3_lazy()->Z3_func_entry_get_arg_)
#define Z3_func_entry_get_value (z3_lazy()->Z3_func_entry_get_value_)
#define Z3_func_entry_inc_ref (z3_lazy()->Z3_func_entry_inc_ref_)
#define Z3_func_interp_dec_ref (z3_lazy()->Z3_func_interp_dec_ref_)
#define Z3_func_interp_get_else (z3_lazy()->Z3_func_interp_get_else_)
#define Z3_func_interp_get_entry (z3_lazy()->Z3_func_interp_get_entry_)
#define Z3_func_interp_get_num_entries (z3_lazy()->Z3_func_interp_get_num_entries_)
#define Z3_func_interp_inc_ref (z3_lazy()->Z3_func_interp_inc_ref_)
#define Z3_get_algebraic_number_lower (z3_lazy()->Z3_get_algebraic_number_lower_)
#define Z3_get_algebraic_number_upper (z3_lazy()->Z3_get_algebraic_number_upper_)
#define Z3_get_app_arg (z3_lazy()->Z3_get_app_arg_)
#define Z3_get_app_decl (z3_lazy()->Z3_get_app_decl_)
#define Z3_get_app_num_args (z3_lazy()->Z3_get_app_num_args_)
#define Z3_get_as_array_func_decl (z3_lazy()->Z3_get_as_array_func_decl_)
#define Z3_get_ast_kind (z3_lazy()->Z3_get_ast_kind_)
#define Z3_get_bool_value (z3_lazy()->Z3_get_bool_value_)
#define Z3_get_decl_kind (z3_lazy()->Z3_get_decl_kind_)
#define Z3_get_decl_name (z3_lazy()->Z3_get_decl_name_)
#define Z3_get_error_code (z3_lazy()->Z3_get_error_code_)
#define Z3_get_error_msg (z3_lazy()->Z3_get_error_msg_)
#define Z3_get_full_version (z3_lazy()->Z3_get_full_version_)
#define Z3_get_numeral_string (z3_lazy()->Z3_get_numeral_string_)
#define Z3_get_symbol_kind (z3_lazy()->Z3_get_symbol_kind_)
#define Z3_get_symbol_string (z3_lazy()->Z3_get_symbol_string_)
#define Z3_get_version (z3_lazy()->Z3_get_version_)
#define Z3_is_algebraic_number (z3_lazy()->Z3_is_algebraic_number_)
#define Z3_mk_config (z3_lazy()->Z3_mk_config_)
#define Z3_mk_context_rc (z3_lazy()->Z3_mk_context_rc_)
#define Z3_mk_params (z3_lazy()->Z3_mk_params_)
#define Z3_mk_simple_solver (z3_lazy()->Z3_mk_simple_solver_)
#define Z3_mk_solver (z3_lazy()->Z3_mk_solver_)
#define Z3_mk_solver_from_tactic (z3_lazy()->Z3_mk_solver_from_tactic_)
#define Z3_mk_string_symbol (z3_lazy()->Z3_mk_string_symbol_)
#define Z3_mk_tactic (z3_lazy()->Z3_mk_tactic_)
#define Z3_model_dec_ref (z3_lazy()->Z3_model_dec_ref_)
#define Z3_model_get_const_decl (z3_lazy()->Z3_model_get_const_decl_)
#define Z3_model_get_const_interp (z3_lazy()->Z3_model_get_const_interp_)
#define Z3_model_get_func_decl (z3_lazy()->Z3_model_get_func_decl_)
#define Z3_model_get_func_interp (z3_lazy()->Z3_model_get_func_interp_)
#define Z3_model_get_num_consts (z3_lazy()->Z3_model_get_num_consts_)
#define Z3_model_get_num_funcs (z3_lazy()->Z3_model_get_num_funcs_)
#define Z3_model_inc_ref (z3_lazy()->Z3_model_inc_ref_)
#define Z3_model_translate (z3_lazy()->Z3_model_translate_)
#define Z3_params_dec_ref (z3_lazy()->Z3_params_dec_ref_)
#define Z3_params_inc_ref (z3_lazy()->Z3_params_inc_ref_)
#define Z3_params_set_uint (z3_lazy()->Z3_params_set_uint_)
#define Z3_parse_smtlib2_string (z3_lazy()->Z3_parse_smtlib2_string_)
#define Z3_set_error_handler (z3_lazy()->Z3_set_error_handler_)
#define Z3_solver_assert (z3_lazy()->Z3_solver_assert_)
#define Z3_solver_check (z3_lazy()->Z3_solver_check_)
#define Z3_solver_dec_ref (z3_lazy()->Z3_solver_dec_ref_)
#define Z3_solver_get_model (z3_lazy()->Z3_solver_get_model_)
#define Z3_solver_get_reason_unknown (z3_lazy()->Z3_solver_get_reason_unknown_)
#define Z3_solver_get_statistics (z3_lazy()->Z3_solver_get_statistics_)
#define Z3_solver_inc_ref (z3_lazy()->Z3_solver_inc_ref_)
#define Z3_solver_set_params (z3_lazy()->Z3_solver_set_params_)
#define Z3_stats_dec_ref (z3_lazy()->Z3_stats_dec_ref_)
#define Z3_stats_get_key (z3_lazy()->Z3_stats_get_key_)
#define Z3_stats_get_uint_value (z3_lazy()->Z3_stats_get_uint_value_)
#define Z3_stats_inc_ref (z3_lazy()->Z3_stats_inc_ref_)
#define Z3_stats_is_uint (z3_lazy()->Z3_stats_is_uint_)
#define Z3_stats_size (z3_lazy()->Z3_stats_size_)
#define Z3_tactic_dec_ref (z3_lazy()->Z3_tactic_dec_ref_)
#define Z3_tactic_inc_ref (z3_lazy()->Z3_tactic_inc_ref_)
#define Z3_to_app (z3_lazy()->Z3_to_app_)
#endif

#endif
