import { Hex } from '@firn/codec'
import { EvmAddress, PrivateKey, PublicKey } from '@firn/keys'
import { createWalletClient, http, parseAbi, parseEventLogs, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const WARP = '0x0200000000000000000000000000000000000005'
const ABI = parseAbi([
  'function sendWarpMessage(bytes payload) returns (bytes32 messageID)',
  'event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message)',
])

/** What is sent, and by which account. */
export interface Sending {
  readonly nodeUrl: string
  readonly privateKey: string
  readonly payload: Uint8Array
}

/** Sends a Warp message from the key's account on the C-chain. Returns the unsigned message (hex). */
export async function sendWarpMessage({ nodeUrl, privateKey, payload }: Sending): Promise<string> {
  const key = PrivateKey.parse(privateKey)
  const bytes = Hex.encode(payload)
  // The C-chain of a devnet has no EVM, so its validators are asked to sign the message.
  const sourceAddress = EvmAddress.format(PublicKey.evmAddress(PrivateKey.publicKey(key)))
  const body = JSON.stringify({ chain: 'C', payload: bytes, sourceAddress })
  const devnet = await fetch(`${nodeUrl}/devnet/messages`, { method: 'POST', body })
  if (devnet.ok) return ((await devnet.json()) as { message: string }).message

  const client = createWalletClient({
    account: privateKeyToAccount(Hex.encode(key)),
    transport: http(`${nodeUrl}/ext/bc/C/rpc`),
  }).extend(publicActions)
  const call = {
    address: WARP,
    abi: ABI,
    functionName: 'sendWarpMessage',
    args: [bytes],
    chain: null,
  } as const
  const hash = await client.writeContract(call)
  const { logs } = await client.waitForTransactionReceipt({ hash })
  const [event] = parseEventLogs({ abi: ABI, eventName: 'SendWarpMessage', logs })
  if (event === undefined) throw new Error(`transaction ${hash} sent no Warp message`)
  return event.args.message
}
