import type { Hex } from 'viem'
import { call } from './internal/call.ts'
import { WARP_CODE } from './warpCode.ts'

const GAS = '0x1e8480'

/**
 * Deploys the mailbox of `contracts/Warp.sol` on a new Warp chain and returns its address, which is the same on every
 * new chain.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function deployMailbox(rpcUrl: string): Promise<Hex> {
  const [from] = await call<Hex[]>(rpcUrl, 'eth_accounts', [])
  const transaction = { from, data: WARP_CODE.mailbox, gas: GAS }
  const hash = await call<Hex>(rpcUrl, 'eth_sendTransaction', [transaction])
  return (await call<{ contractAddress: Hex }>(rpcUrl, 'eth_getTransactionReceipt', [hash])).contractAddress
}
