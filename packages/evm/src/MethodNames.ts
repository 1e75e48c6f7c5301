import { Hex } from '@firn/codec'
import { signatureOf } from './internal/abiParameters.ts'
import { selectorOf as hashed } from './internal/selectorOf.ts'
import * as StandardAbi from './StandardAbi.ts'

/**
 * Returns the signature of a function of a common standard, such as `transfer(address,uint256)`, by the first four
 * bytes of its calldata. Returns undefined if the selector is unknown.
 *
 * @example
 * ```ts
 * import { MethodNames } from '@firn/evm'
 *
 * MethodNames.of(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)) // 'transfer(address,uint256)'
 * ```
 */
export function of(selector: Uint8Array): string | undefined {
  const [found] = StandardAbi.functions(Hex.encodeBare(selector))
  return found && signatureOf(found.name, found.inputs)
}

/**
 * Returns the selector of the function with the given signature: the first four bytes of its calldata.
 *
 * @example
 * ```ts
 * import { Hex } from '@firn/codec'
 * import { MethodNames } from '@firn/evm'
 *
 * Hex.encode(MethodNames.selectorOf('transfer(address,uint256)')) // '0xa9059cbb'
 * ```
 */
export function selectorOf(signature: string): Uint8Array {
  return hashed(signature)
}
