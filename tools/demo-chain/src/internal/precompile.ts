import { Hex } from '@firn/codec'
import { WarpEvent } from '@firn/warp'
import {
  encodeAbiParameters,
  type Hex as HexText,
  keccak256,
  numberToHex,
  parseAbiParameters,
  size,
  slice,
} from 'viem'
import { WARP_CODE } from '../warpCode.ts'
import { call } from './call.ts'
import type { Received } from './predicates.ts'

/** The contract at the Warp precompile's address. */
export interface Precompile {
  /** Writes the contract's code and the ids of its chain. */
  install(chain: { readonly networkId: number; readonly blockchainId: Uint8Array }): Promise<void>
  /** Writes what `getVerifiedWarpMessage` returns by index; undefined for a message that is not valid. */
  setResults(results: readonly (Received | undefined)[]): Promise<void>
  clearResults(count: number): Promise<void>
}

const ADDRESS = Hex.encode(WarpEvent.ADDRESS)
const RESULT = parseAbiParameters('(bytes32 sourceChainID, address originSenderAddress, bytes payload), bool')
const WORD = 32
/** Slots of the contract's variables, in the order of their declarations. */
const SLOTS = { networkId: 0n, blockchainId: 1n, results: 2n }

/** Returns the access to the contract on the EVM with the given URL. */
export function createPrecompile(evmUrl: string): Precompile {
  const store = (slot: bigint, value: HexText) =>
    call(evmUrl, 'anvil_setStorageAt', [ADDRESS, numberToHex(slot), value])

  /** Writes `bytes` of at least 32 bytes, or none, as the Solidity type `bytes`. */
  const storeBytes = async (slot: bigint, bytes: HexText): Promise<void> => {
    const length = size(bytes)
    const start = BigInt(keccak256(word(slot)))
    for (let offset = 0; offset < length; offset += WORD)
      await store(start + BigInt(offset / WORD), slice(bytes, offset, offset + WORD))
    await store(slot, word(length === 0 ? 0n : 2n * BigInt(length) + 1n))
  }

  return {
    async install({ networkId, blockchainId }) {
      await call(evmUrl, 'anvil_setCode', [ADDRESS, WARP_CODE.precompile])
      await store(SLOTS.networkId, word(BigInt(networkId)))
      await store(SLOTS.blockchainId, Hex.encode(blockchainId))
    },
    async setResults(results) {
      for (const [index, result] of results.entries())
        if (result !== undefined) await storeBytes(resultSlot(index), encodeResult(result))
    },
    async clearResults(count) {
      for (let index = 0; index < count; index++) await store(resultSlot(index), word(0n))
    },
  }
}

function encodeResult({ sourceChainId, sender, payload }: Received): HexText {
  const message = {
    sourceChainID: Hex.encode(sourceChainId),
    originSenderAddress: Hex.encode(sender),
    payload: Hex.encode(payload),
  }
  return encodeAbiParameters(RESULT, [message, true])
}

function resultSlot(index: number): bigint {
  return BigInt(keccak256(`${word(BigInt(index))}${word(SLOTS.results).slice(2)}`))
}

function word(value: bigint): HexText {
  return numberToHex(value, { size: WORD })
}
