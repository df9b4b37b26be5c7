/* A process that ends with _exit also writes its coverage. */
void __gcov_dump(void);
_Noreturn void __real__exit(int code);
_Noreturn void __wrap__exit(int code);

_Noreturn void __wrap__exit(int code)
{
    __gcov_dump();
    __real__exit(code);
}
