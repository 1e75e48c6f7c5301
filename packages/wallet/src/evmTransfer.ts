import { Bytes, Hex } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import type { Clock } from '@firn/runtime'
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

/** nAVAX in wei. */
const WEI = 1_000_000_000n
/** Factor applied to the base fee, so that the transaction stays valid while the fee rises. */
const BID = 2n
/** Selector of `transfer(address,uint256)`. */
const TRANSFER = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)
const WORD = 32
/** Milliseconds to wait for acceptance by default, and between two questions for the receipt. */
const [TIMEOUT, POLL] = [60_000, 250]

/**
 * Transfers AVAX or an ERC-20 token on the C-chain, and waits until the transaction is accepted.
 * @throws WalletError `WALLET_INPUT`, `WALLET_DROPPED`, `WALLET_TIMEOUT`; RpcError with the node's reason
 */
export async function transferOnEvm(
  { node, signer, accounts, clock }: EvmParts,
  { to, amount, token, from }: EvmTransfer,
  { signal, timeoutMs = TIMEOUT, onStep }: StepOptions = {},
): Promise<{ readonly txId: string }> {
  const account = from === undefined ? accounts[0] : Inputs.evmAddressOf(from)
  if (account === undefined || !accounts.some((one) => Bytes.equals(one, account)))
    throw new WalletError('WALLET_INPUT', 'from: expected one of the accounts of the signer')
  if (signer.signHash === undefined)
    throw new WalletError(
      'WALLET_INPUT',
      'this signer cannot sign EVM transactions; send them with its own wallet',
    )
  const receiver = Inputs.evmAddressOf(to)
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
  await accepted({ node, clock }, txId, { timeoutMs, ...(signal && { signal }) })
  onStep?.({ name: 'accepted', txId })
  return { txId }
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

async function accepted(
  { node, clock }: Pick<EvmParts, 'node' | 'clock'>,
  txId: string,
  { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs: number },
): Promise<void> {
  const end = clock.now() + timeoutMs
  for (;;) {
    const receipt = await node.evm('eth_getTransactionReceipt', [txId], signal)
    const status = (receipt as { readonly status?: string } | null)?.status
    if (status === '0x1') return
    if (status !== undefined)
      throw new WalletError('WALLET_DROPPED', `transaction ${txId} was reverted`, { details: { txId } })
    if (clock.now() >= end) {
      const message = `transaction ${txId} was not accepted within ${timeoutMs} ms; it may still be accepted`
      throw new WalletError('WALLET_TIMEOUT', message, { details: { txId } })
    }
    await clock.sleep(POLL, signal)
  }
}

/** Returns an address or a number as a word of 32 bytes. */
function word(value: Uint8Array | bigint): Uint8Array {
  const hex = typeof value === 'bigint' ? value.toString(16) : EvmAddress.format(value).slice(2)
  return Hex.decodeBare(hex.toLowerCase().padStart(2 * WORD, '0'))
}
