// SPDX-License-Identifier: MIT
/*  short_pocl.c - a copy of pocl's built-in functions without those that tests/short_pocl leaves out of opencl-c.h:
    functions of vectors of 8 and 16 and of half, and conversions that saturate. pocl reads the file for each kernel.

        short_pocl FILE.bc COPY.bc

    It links with the libLLVM that pocl has. LLVM's headers may not be here, so it declares what it calls.  */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct llvm_buffer llvm_buffer;
typedef struct llvm_module llvm_module;
typedef struct llvm_function llvm_function;
typedef struct llvm_use llvm_use;

int LLVMCreateMemoryBufferWithContentsOfFile(const char *path, llvm_buffer **buffer, char **message);
int LLVMParseBitcode2(llvm_buffer *buffer, llvm_module **module);
int LLVMWriteBitcodeToFile(llvm_module *module, const char *path);
llvm_function *LLVMGetFirstFunction(llvm_module *module);
llvm_function *LLVMGetNextFunction(llvm_function *function);
const char *LLVMGetValueName2(llvm_function *function, size_t *length);
llvm_use *LLVMGetFirstUse(llvm_function *function);
void LLVMDeleteFunction(llvm_function *function);

/* Does opencl-c.h lack the function of this name, as C++ mangles it? */
static bool is_left_out(const char *name)
{
    if (strstr(name, "vstore8Dv8_") || strstr(name, "vstore16Dv16_"))
        return false;
    return strstr(name, "Dv8_") || strstr(name, "Dv16_") || strstr(name, "_sat") ||
           (strstr(name, "Dv") && strstr(name, "_rt")) || (strstr(name, "Dh") && !strstr(name, "_half"));
}

/* Deletes functions that are left out and that no other calls; returns how many. */
static int delete_functions(llvm_module *module)
{
    int deleted = 0;
    for (llvm_function *f = LLVMGetFirstFunction(module), *next; f; f = next) {
        size_t length;
        next = LLVMGetNextFunction(f);
        if (!is_left_out(LLVMGetValueName2(f, &length)) || LLVMGetFirstUse(f))
            continue;
        LLVMDeleteFunction(f);
        deleted++;
    }
    return deleted;
}

int main(int count, char **arguments)
{
    llvm_buffer *buffer;
    llvm_module *module;
    char *message = NULL;
    if (count != 3 || LLVMCreateMemoryBufferWithContentsOfFile(arguments[1], &buffer, &message) ||
        LLVMParseBitcode2(buffer, &module)) {
        fprintf(stderr, "short_pocl: no file of LLVM that can be read: %s\n", message ? message : "");
        return 1;
    }
    while (delete_functions(module) > 0)
        ;
    return LLVMWriteBitcodeToFile(module, arguments[2]) != 0;
}
