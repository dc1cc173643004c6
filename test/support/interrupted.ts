/** Ends this process when it is interrupted: what it started ends with it (processes.ts). */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
