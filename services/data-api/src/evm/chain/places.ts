import { Hex } from '@firn/codec'
import type { EvmInternalCalls, EvmLogs, EvmTransactions, EvmTransfers, TokenKey } from '@firn/evm-store'

/** Key of a list item, in the form that page tokens contain. */
type Key = readonly string[] | undefined

export function transactionKey({ height, index }: EvmTransactions.TransactionPlace): readonly string[] {
  return [String(height), String(index)]
}

export function transactionPlace(after: Key): EvmTransactions.TransactionPlace | undefined {
  if (after === undefined) return undefined
  const [height = '0', index = '0'] = after
  return { height: BigInt(height), index: Number(index) }
}

export function transferKey({ height, logIndex, position }: EvmTransfers.TransferPlace): readonly string[] {
  return [String(height), String(logIndex), String(position)]
}

export function transferPlace(after: Key): EvmTransfers.TransferPlace | undefined {
  if (after === undefined) return undefined
  const [height = '0', logIndex = '0', position = '0'] = after
  return { height: BigInt(height), logIndex: BigInt(logIndex), position: Number(position) }
}

export function logKey({ height, logIndex }: EvmLogs.LogPlace): readonly string[] {
  return [String(height), String(logIndex)]
}

export function logPlace(after: Key): EvmLogs.LogPlace | undefined {
  if (after === undefined) return undefined
  const [height = '0', logIndex = '0'] = after
  return { height: BigInt(height), logIndex: BigInt(logIndex) }
}

export function callKey({
  height,
  transactionIndex,
  position,
}: EvmInternalCalls.CallPlace): readonly string[] {
  return [String(height), String(transactionIndex), String(position)]
}

export function callPlace(after: Key): EvmInternalCalls.CallPlace | undefined {
  if (after === undefined) return undefined
  const [height = '0', transactionIndex = '0', position = '0'] = after
  return { height: BigInt(height), transactionIndex: Number(transactionIndex), position: Number(position) }
}

export function tokenKey({ contract, tokenId }: TokenKey): readonly string[] {
  return [Hex.encodeBare(contract), String(tokenId)]
}

export function tokenPlace(after: Key): TokenKey | undefined {
  if (after === undefined) return undefined
  const [contract = '', tokenId = '0'] = after
  return { contract: Hex.decodeBare(contract), tokenId: BigInt(tokenId) }
}

/** Compares tokens by contract, then by token id. */
export function compareTokens(a: TokenKey, b: TokenKey): number {
  const [one, other] = [Hex.encodeBare(a.contract), Hex.encodeBare(b.contract)]
  if (one !== other) return one < other ? -1 : 1
  return a.tokenId < b.tokenId ? -1 : a.tokenId > b.tokenId ? 1 : 0
}
