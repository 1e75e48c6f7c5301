import { avax, createWallet, L1Messages, type SignerInput } from '@firn/wallet'
import { aggregate } from './aggregate.ts'

/** A node with its BLS key, as `info.getNodeID` returns them. */
export interface TourNode {
  readonly nodeId: string
  readonly signer: SignerInput
}

/** What {@link tour} needs: a node's URL, a funded key, a signature aggregator, a validator, and two nodes of an L1. */
export interface TourOptions {
  readonly url: string
  readonly key: string
  readonly aggregator: string
  readonly validator: string
  readonly nodes: readonly [TourNode, TourNode]
  /** Sends a Warp message from the key's account on the C-chain, and returns the unsigned message. */
  readonly sendMessage: (payload: Uint8Array) => Promise<Uint8Array>
}

/** Sends each kind of transaction that an L1 needs, from a first transfer to the registration of a validator. */
export async function tour({
  url,
  key,
  aggregator,
  validator,
  nodes: [first, second],
  ...rest
}: TourOptions) {
  const wallet = createWallet({ url, keys: [key] })
  const { p, x, c, node } = wallet
  const [to, account] = [await wallet.address('P'), await wallet.address('C')]
  const [now, day] = [BigInt(Math.floor(Date.now() / 1_000)), 86_400n]

  await p.transfer({ to, amount: avax('1.5') })
  await p.exportTo({ chain: 'X', amount: avax('4') })
  await x.importFrom({ chain: 'P' })
  await x.exportTo({ chain: 'C', amount: avax('3') })
  await c.importFrom({ chain: 'X' })
  await c.exportTo({ chain: 'P', amount: avax('2') })
  await p.importFrom({ chain: 'C' })
  await p.delegate({ nodeId: validator, stake: avax('25'), end: now + 15n * day })
  const { subnetId } = await p.createSubnet({})
  const chainId = (await node.network()).blockchainIds.C
  const validators = [{ ...first, weight: 100n, balance: avax('1') }]
  await p.convertToL1({ subnetId, chainId, managerAddress: account, validators })

  const { publicKey, proofOfPossession } = second.signer
  const registration = { subnetId, nodeId: second.nodeId, publicKey, weight: 20n, expiry: now + 3_600n }
  const register = L1Messages.register({ ...registration, remainingBalanceOwner: to })
  const message = await aggregate(aggregator, await rest.sendMessage(register))
  return p.registerL1Validator({ message, proofOfPossession, balance: avax('1') })
}
