import { Bytes, Hex } from '@firn/codec'
import type { Block, Log } from './Block.ts'

/**
 * A log `Deposit(address,uint256)` or `Withdrawal(address,uint256)`, which contracts of wrapped native tokens (WETH9)
 * emit instead of a transfer. Other contracts emit such logs too.
 */
export interface Wrapping {
  readonly logIndex: bigint
  readonly contract: Uint8Array
  readonly address: Uint8Array
  /** Amount by which the balance of `address` changes; negative for a withdrawal. */
  readonly amount: bigint
}

/**
 * Returns the deposits and withdrawals of a block in the order of its logs.
 *
 * @example
 * ```ts
 * import { type Block, Wrappings } from '@firn/evm'
 *
 * declare const block: Block
 * for (const { contract, address, amount } of Wrappings.of(block)) console.log(contract, address, amount)
 * ```
 */
export function of(block: Block): Wrapping[] {
  const wrappings: Wrapping[] = []
  for (const { logs } of block.transactions) {
    for (const log of logs) {
      const change = inLog(log)
      if (change !== undefined) wrappings.push({ logIndex: log.index, contract: log.address, ...change })
    }
  }
  return wrappings
}

/** Topic of `Deposit(address,uint256)`. */
const DEPOSIT = Hex.decode('0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c')
/** Topic of `Withdrawal(address,uint256)`. */
const WITHDRAWAL = Hex.decode('0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65')

function inLog({ topics, data }: Log): Pick<Wrapping, 'address' | 'amount'> | undefined {
  const [signature, account] = topics
  if (signature === undefined || account === undefined || topics.length !== 2 || data.length !== 32)
    return undefined
  const isDeposit = Bytes.equals(signature, DEPOSIT)
  if (!isDeposit && !Bytes.equals(signature, WITHDRAWAL)) return undefined
  if (account.subarray(0, 12).some((byte) => byte !== 0)) return undefined
  const amount = BigInt(Hex.encode(data))
  return { address: account.subarray(12), amount: isDeposit ? amount : -amount }
}
