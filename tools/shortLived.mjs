// This module is loaded into every Node process of tests. WebAssembly (the embedded database) is optimized only where a
// process uses it for long: the optimizing compiler takes a third of the processor time of a short process.
import { setFlagsFromString } from 'node:v8'
import './bundled.mjs'

setFlagsFromString('--wasm-tiering-budget=200000000')
