import { Hex } from '@firn/codec'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Signatures of common contract functions of token standards, wrapped coins and role management. */
const SIGNATURES = [
  'approve(address,uint256)',
  'burn(uint256)',
  'burnFrom(address,uint256)',
  'claimOwnership()',
  'decreaseAllowance(address,uint256)',
  'deposit()',
  'execute(address,uint256,bytes)',
  'grantRole(bytes32,address)',
  'increaseAllowance(address,uint256)',
  'initialize()',
  'mint(address,uint256)',
  'multicall(bytes[])',
  'pause()',
  'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  'renounceOwnership()',
  'renounceRole(bytes32,address)',
  'revokeRole(bytes32,address)',
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
  'safeTransferFrom(address,address,uint256)',
  'safeTransferFrom(address,address,uint256,bytes)',
  'safeTransferFrom(address,address,uint256,uint256,bytes)',
  'setApprovalForAll(address,bool)',
  'transfer(address,uint256)',
  'transferFrom(address,address,uint256)',
  'transferOwnership(address)',
  'unpause()',
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'withdraw()',
  'withdraw(uint256)',
]

let names: ReadonlyMap<string, string> | undefined

/**
 * Returns the signature of a function, such as `transfer(address,uint256)`, by the first four bytes of its
 * calldata. Returns undefined if the selector is unknown.
 *
 * @example
 * ```ts
 * import { MethodNames } from '@firn/evm'
 *
 * MethodNames.of(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)) // 'transfer(address,uint256)'
 * ```
 */
export function of(selector: Uint8Array): string | undefined {
  names ??= new Map(SIGNATURES.map((signature) => [Hex.encodeBare(selectorOf(signature)), signature]))
  return names.get(Hex.encodeBare(selector))
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
  return keccak_256(new TextEncoder().encode(signature)).subarray(0, 4)
}
