import { Hex } from '@firn/codec'
import { createWalletClient, type Hex as HexText, http, parseAbi } from 'viem'
import { chainOf, type LocalNetwork } from './LocalNetwork.ts'

const ABI = parseAbi(['function send(bytes32 destinationChainID, string text)'])

/**
 * Sends a text from the mailbox on the source chain to the one on the destination chain. Returns the hash of the
 * transaction.
 */
export async function sendText({ devnet, source, mailbox }: LocalNetwork, text: string): Promise<HexText> {
  const wallet = createWalletClient({ transport: http(source.rpcUrl) })
  const [account] = await wallet.getAddresses()
  if (account === undefined) throw new Error('the source chain has no account')
  return wallet.writeContract({
    ...{ account, chain: null, address: mailbox, abi: ABI, functionName: 'send' },
    args: [Hex.encode(chainOf(devnet, 1).id), text],
  })
}
