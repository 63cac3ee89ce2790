/* Checks of what the program itself must keep to. Every build keeps the checks: where one fails the program
 * stops before it reads or writes outside of an array. */
#ifndef SPRUNG_BASE_REQUIRE_H
#define SPRUNG_BASE_REQUIRE_H

/* Prints the condition and its place, and aborts. */
_Noreturn void require_failed(const char *condition, const char *file, int line);

#define REQUIRE(condition) ((condition) ? (void)0 : require_failed(#condition, __FILE__, __LINE__))

#endif
