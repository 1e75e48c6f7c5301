import type { Hex } from 'viem'
import { call } from './internal/call.ts'
import { MESSENGER_CODE } from './messengerCode.ts'

const GAS = '0x4c4b40'

/** The contracts of `contracts/Messenger.sol` on a chain. */
export interface DeployedMessenger {
  /** Address of the messenger. */
  readonly messenger: Hex
  /** Address of a contract that receives messages. It fails to execute them after `setBroken(true)`. */
  readonly recipient: Hex
}

/**
 * Deploys the contracts of `contracts/Messenger.sol` on a Warp chain. Their addresses are the same on all chains on which
 * the same transactions were sent before.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function deployMessenger(rpcUrl: string): Promise<DeployedMessenger> {
  const [from] = await call<Hex[]>(rpcUrl, 'eth_accounts', [])
  const deploy = async (data: Hex) => {
    const hash = await call<Hex>(rpcUrl, 'eth_sendTransaction', [{ from, data, gas: GAS }])
    return (await call<{ contractAddress: Hex }>(rpcUrl, 'eth_getTransactionReceipt', [hash])).contractAddress
  }
  const messenger = await deploy(MESSENGER_CODE.Messenger)
  return { messenger, recipient: await deploy(MESSENGER_CODE.Recipient) }
}
