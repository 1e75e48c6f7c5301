// This module is loaded into every Node process of tests and of README commands. WebAssembly (the embedded database) is
// not optimized there, because the optimizing compiler would take half of the processor time of a short process. Only the
// functions that vitest's workers call most are optimized, because these use databases for minutes.
import { setFlagsFromString } from 'node:v8'

const isWorker = process.argv[1]?.includes('vitest') ?? false
// The second and third flags follow from the first one only on the command line.
const UNOPTIMIZED = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering']
for (const flag of isWorker ? ['--wasm-tiering-budget=50000000'] : UNOPTIMIZED) setFlagsFromString(flag)
