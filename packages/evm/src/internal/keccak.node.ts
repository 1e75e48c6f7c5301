import { keccak_256 } from '@noble/hashes/sha3.js'
import { createKeccak, type IHasher } from 'hash-wasm'

let compiled: IHasher | undefined
let isCompiling = false

/**
 * Returns the Keccak-256. This is seven times as fast as the portable version for a topic once the WebAssembly code is
 * compiled, which the first call starts.
 */
export function keccak256(bytes: Uint8Array): Uint8Array {
  if (compiled !== undefined) return compiled.init().update(bytes).digest('binary')
  if (!isCompiling) compile()
  return keccak_256(bytes)
}

function compile(): void {
  isCompiling = true
  createKeccak(256).then(
    (hasher) => {
      compiled = hasher
    },
    // Without WebAssembly, the portable version is used.
    () => undefined,
  )
}
