import type { Client } from '@firn/client'
import { countOf } from '../format/Amounts.ts'
import { CHAINS, PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { link } from '../Routes.ts'
import type { Classified } from './Classify.ts'

/** A thing that has the id, and where it is shown. */
export interface Found {
  /** What the thing is, such as `Transaction on the P-chain`. */
  readonly title: string
  readonly detail?: string | undefined
  /** Page of the thing; absent if the console has none. */
  readonly href?: string | undefined
}

/** Where to look. */
export interface Place {
  readonly data: Client | undefined
  readonly network: string | undefined
  readonly signal: AbortSignal
}

/** A question to one API. Returns nothing, or throws, if it does not know the id. */
type Question = (text: string, place: KnownPlace) => Promise<Found | readonly Found[] | undefined>

interface KnownPlace {
  readonly data: Client
  readonly network: string
  readonly signal: AbortSignal
}

const LETTERS = ['P', 'X', 'C'] as const

/** Returns the things with an id. Questions that fail are left out, unless all of them fail. */
export async function lookUp({ kind, text }: Classified, place: Place): Promise<readonly Found[]> {
  const { data, network } = place
  if (kind === 'warpMessage') return [warpMessage(text)]
  if (data === undefined) return kind === 'hash' ? [warpTransaction(text)] : []
  const questions = [...(network === undefined ? [] : PRIMARY[kind]), ...EVM[kind]]
  const complete = { ...place, data, network: network ?? '' }
  const answers = await Promise.allSettled(questions.map((ask) => ask(text, complete)))
  const found = answers.flatMap((one) =>
    one.status === 'fulfilled' && one.value !== undefined ? [one.value].flat() : [],
  )
  const failure = answers.find((one) => one.status === 'rejected' && isFailure(one.reason))
  if (found.length === 0 && failure?.status === 'rejected') throw failure.reason
  return found
}

function warpMessage(text: string): Found {
  return { title: 'Warp message', href: link('warpMessage', { message: text.replace(/^0x/, '') }) }
}

function warpTransaction(txHash: string): Found {
  return { title: 'Warp messages of a transaction', href: link('warpTransaction', { txHash }) }
}

/** Errors other than that the service does not know the id, or that the id has another form. */
function isFailure(error: unknown): boolean {
  return !/^CLIENT_(NOT_FOUND|BAD_REQUEST)$/.test((error as { code?: string }).code ?? '')
}

const transaction: readonly Question[] = LETTERS.map(
  (letter) =>
    async (txHash, { data, network, signal }) => {
      const parameters = { network, blockchainId: CHAINS[letter], txHash }
      const { txType } = await data.primaryNetwork.getTxByHash(parameters, { signal })
      return {
        title: `Transaction on the ${letter}-chain`,
        detail: txType,
        href: link('transaction', { txId: txHash }),
      }
    },
)

const block: readonly Question[] = LETTERS.map((letter) => async (blockId, { data, network, signal }) => {
  const parameters = { network, blockchainId: CHAINS[letter], blockId }
  const { blockNumber, txCount } = await data.primaryNetwork.getBlockById(parameters, { signal })
  return {
    title: `Block ${blockNumber} of the ${letter}-chain`,
    detail: countOf(txCount, 'transaction'),
    href: link('block', { chain: letter, blockId: blockNumber }),
  }
})

const subnet: Question = async (subnetId, { data, network, signal }) => {
  const { isL1 } = await data.primaryNetwork.getSubnetById({ network, subnetId }, { signal })
  const title = subnetId === PRIMARY_NETWORK_ID ? 'Primary Network' : isL1 ? 'L1' : 'Subnet'
  return { title, href: link('subnet', { subnetId }) }
}

const blockchain: Question = async (blockchainId, { data, network, signal }) => {
  const parameters = { network, blockchainId }
  const { blockchainName } = await data.primaryNetwork.getBlockchainById(parameters, { signal })
  return { title: 'Blockchain', detail: blockchainName, href: link('blockchain', { blockchainId }) }
}

const validation: Question = async (l1ValidationId, { data, network, signal }) => {
  const parameters = { network, l1ValidationId, includeInactiveL1Validators: true }
  const [validator] = (await data.primaryNetwork.listL1Validators(parameters, { signal })).validators
  if (validator === undefined) return undefined
  return {
    title: 'Validation of an L1',
    detail: validator.nodeId,
    href: link('subnet', { subnetId: validator.subnetId }, { validation: validator.validationId }),
  }
}

const asset: Question = async (assetId, { data, network, signal }) => {
  const parameters = { network, blockchainId: CHAINS.X, assetId }
  const { name, symbol } = await data.primaryNetwork.getAssetDetails(parameters, { signal })
  return { title: 'Asset of the X-chain', detail: `${name} (${symbol})` }
}

const node: Question = async (nodeId, { data, network, signal }) => {
  const { validators } = await data.primaryNetwork.getSingleValidatorDetails({ network, nodeId }, { signal })
  const l1 = await data.primaryNetwork.listL1Validators({ network, nodeId }, { signal })
  const total = validators.length + l1.validators.length
  if (total === 0) return undefined
  return { title: 'Validator', detail: countOf(total, 'validation'), href: link('validator', { nodeId }) }
}

const primaryAddress: Question = async (address) => ({
  title: 'Address of the Primary Network',
  href: link('address', { address: address.replace(/^[PXC]-/, '') }),
})

/** Questions about the Primary Network, by what the text is. */
const PRIMARY: Readonly<Record<Classified['kind'], readonly Question[]>> = {
  height: block,
  nodeId: [node],
  address: [primaryAddress],
  evmAddress: [],
  id: [...transaction, ...block, subnet, blockchain, validation, asset],
  hash: [validation],
  warpMessage: [],
  unknown: [],
}

/** Asks one question for each EVM chain, and returns the things of all chains that know the id. */
const onEvmChains =
  (ask: (chainId: string, text: string, place: KnownPlace) => Promise<Found>): Question =>
  async (text, place) => {
    const { chains } = await place.data.evm.supportedChains({}, { signal: place.signal })
    const answers = await Promise.allSettled(chains.map(({ chainId }) => ask(chainId, text, place)))
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const failure = answers.find((one) => one.status === 'rejected')
    if (found.length === 0 && failure !== undefined) throw failure.reason
    return found
  }

const evmBlock = onEvmChains(async (chainId, blockId, { data, signal }) => {
  const { blockNumber, txCount } = await data.evm.getBlock({ chainId, blockId }, { signal })
  return {
    title: `Block ${blockNumber} of EVM chain ${chainId}`,
    detail: countOf(txCount, 'transaction'),
    href: link('evmBlock', { chainId, blockId: blockNumber }),
  }
})

const evmTransaction = onEvmChains(async (chainId, txHash, { data, signal }) => {
  await data.evm.getTransaction({ chainId, txHash }, { signal })
  return { title: `Transaction on EVM chain ${chainId}`, href: link('evmTransaction', { chainId, txHash }) }
})

/** Any address exists on all chains. Only those are listed on which it was active, if there are any. */
const evmAddress: Question = async (address, { data, signal }) => {
  const { chains } = await data.evm.supportedChains({}, { signal })
  const { indexedChains = [] } = await data.evm
    .listAddressChains({ address }, { signal })
    .catch(() => ({ indexedChains: [] }))
  return (indexedChains.length > 0 ? indexedChains : chains).map(({ chainId }) => ({
    title: `Address on EVM chain ${chainId}`,
    href: link('evmAddress', { chainId, address }),
  }))
}

/** Questions about EVM chains, by what the text is. */
const EVM: Readonly<Record<Classified['kind'], readonly Question[]>> = {
  height: [evmBlock],
  nodeId: [],
  address: [],
  evmAddress: [evmAddress],
  id: [],
  hash: [evmTransaction, evmBlock],
  warpMessage: [],
  unknown: [],
}
