import { Bytes, excerpt, Hex } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import type { Clock } from '@firn/runtime'
import { untilAccepted } from './acceptance.ts'
import { BID, WEI } from './evmAmounts.ts'
import { type EvmTransaction, encodeSigned, hashToSign } from './evmTransaction.ts'
import * as Inputs from './Inputs.ts'
import type { Node } from './Node.ts'
import type { StepOptions } from './Operation.ts'
import type { Signer } from './Signer.ts'
import { WalletError } from './WalletError.ts'

/** A transfer between accounts of the C-chain. */
export interface EvmTransfer {
  /** EVM address of the receiver. */
  readonly to: string
  /** Amount in nAVAX, or in units of the token. */
  readonly amount: bigint
  /** Contract of an ERC-20 token. Default: AVAX. */
  readonly token?: string
  /** EVM address of the sender, one of the signer's accounts. Default: the first one. */
  readonly from?: string
}

/** Selector of `transfer(address,uint256)`. */
const TRANSFER = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)
const WORD = 32

/**
 * Transfers AVAX or an ERC-20 token on the C-chain, and waits until the transaction is accepted.
 * @throws WalletError `WALLET_INPUT`, `WALLET_DROPPED`, `WALLET_TIMEOUT`; RpcError with the node's reason
 */
export async function transferOnEvm(
  { node, signer, accounts, clock }: EvmParts,
  { to, amount, token, from }: EvmTransfer,
  options: StepOptions = {},
): Promise<{ readonly txId: string }> {
  const { signal, onStep } = options
  const account = from === undefined ? accounts[0] : Inputs.evmAddressOf(from)
  if (account === undefined || !accounts.some((one) => Bytes.equals(one, account)))
    throw new WalletError('WALLET_INPUT', 'from: expected one of the accounts of the signer')
  if (signer.signHash === undefined)
    throw new WalletError(
      'WALLET_INPUT',
      'this signer cannot sign EVM transactions; send them with its own wallet',
    )
  const receiver = Inputs.evmAddressOf(to)
  assertAmount(amount, token === undefined ? MAX_WORD / WEI : MAX_WORD)
  const call =
    token === undefined
      ? { to: receiver, value: amount * WEI, data: new Uint8Array() }
      : {
          to: Inputs.evmAddressOf(token),
          value: 0n,
          data: Bytes.concat(TRANSFER, word(receiver), word(amount)),
        }
  const tx = await complete(node, account, call, signal)
  const signature = await signer.signHash(hashToSign(tx), account, signal)
  const raw = Hex.encode(encodeSigned(tx, signature))
  const txId = String(await node.evm('eth_sendRawTransaction', [raw], signal))
  onStep?.({ name: 'issued', txId })
  await untilAccepted(() => isAccepted(node, txId, signal), txId, { ...options, clock })
  onStep?.({ name: 'accepted', txId })
  return { txId }
}

/** Largest number in a word of the EVM. */
const MAX_WORD = 2n ** 256n - 1n

/** Checks an amount, which plain JavaScript may pass as any type. */
function assertAmount(amount: unknown, most: bigint): void {
  if (typeof amount === 'bigint' && amount >= 0n && amount <= most) return
  throw new WalletError(
    'WALLET_INPUT',
    `amount: expected a bigint from 0, such as 1_500_000_000n, got ${excerpt(amount)}`,
  )
}

/** Reads nonce, gas and fees of a transaction from the node. */
async function complete(
  node: Node,
  account: Uint8Array,
  call: Pick<EvmTransaction, 'to' | 'value' | 'data'>,
  signal: AbortSignal | undefined,
): Promise<EvmTransaction> {
  const from = EvmAddress.format(account)
  const shown = {
    ...{ from, to: EvmAddress.format(call.to) },
    ...{ value: `0x${call.value.toString(16)}`, data: Hex.encode(call.data) },
  }
  const [chainId, nonce, gas, tip, block] = await Promise.all([
    node.evm('eth_chainId', [], signal),
    node.evm('eth_getTransactionCount', [from, 'pending'], signal),
    node.evm('eth_estimateGas', [shown], signal),
    node.evm('eth_maxPriorityFeePerGas', [], signal),
    node.evm('eth_getBlockByNumber', ['latest', false], signal),
  ])
  const { baseFeePerGas } = block as { readonly baseFeePerGas: string }
  const [maxPriorityFeePerGas, baseFee] = [BigInt(String(tip)), BigInt(baseFeePerGas)]
  return {
    ...{ ...call, chainId: BigInt(String(chainId)), nonce: BigInt(String(nonce)), gas: BigInt(String(gas)) },
    ...{ maxPriorityFeePerGas, maxFeePerGas: BID * baseFee + maxPriorityFeePerGas },
  }
}

/** What a transfer needs. */
export interface EvmParts {
  readonly node: Node
  readonly signer: Signer
  readonly accounts: readonly Uint8Array[]
  readonly clock: Clock
}

async function isAccepted(node: Node, txId: string, signal: AbortSignal | undefined): Promise<boolean> {
  const receipt = await node.evm('eth_getTransactionReceipt', [txId], signal)
  const status = (receipt as { readonly status?: string } | null)?.status
  if (status !== undefined && status !== '0x1')
    throw new WalletError('WALLET_DROPPED', `transaction ${txId} was reverted`, { details: { txId } })
  return status === '0x1'
}

/** Returns an address or a number as a word of 32 bytes. */
function word(value: Uint8Array | bigint): Uint8Array {
  const hex = typeof value === 'bigint' ? value.toString(16) : EvmAddress.format(value).slice(2)
  return Hex.decodeBare(hex.toLowerCase().padStart(2 * WORD, '0'))
}
