// SPDX-License-Identifier: MIT
/*  libraries/plugin.h - what a library gives to a host that knows nothing of amp.h. Views, accelerator views and
    futures are addresses to it, which it hands from one library to another. */
#ifndef PLUGIN_H
#define PLUGIN_H

typedef struct plugin {
    const void *(*device)(void);                    /* the default accelerator */
    void *(*make)(int *data, int count);            /* a view; NULL when that fails */
    int (*add)(void *view, int value);              /* in a kernel; the status of this and what follows */
    int (*add_on)(void *view, int value, void *on); /* on an accelerator view */
    int (*read)(void *view, int index);             /* on the host; 0 when that fails */
    int (*synchronize)(void *view);
    int (*release)(void *view);
    void *(*open)(void); /* an accelerator view */
    int (*close)(void *on);
    void *(*begin)(void *view); /* an asynchronous synchronization */
    int (*wait)(void *future);
    int (*fail)(void);
    int (*last_error)(void);
    void (*listen)(void (*hear)(int status, const char *message));
} plugin;

typedef const plugin *plugin_get(void);

#endif /* PLUGIN_H */
