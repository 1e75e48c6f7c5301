import { createHttpClient, PlatformMethods } from '@firn/rpc/client'
import { avax, createWallet, formatAvax } from '@firn/wallet'

const {
  NODE_URL = 'http://127.0.0.1:9650',
  // The key that owns the funds of every devnet. It is public: never send real funds to it.
  PRIVATE_KEY = 'PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN',
} = process.env
const DAYS = 15n

const wallet = createWallet({ url: NODE_URL, keys: [PRIVATE_KEY] })
const platform = createHttpClient(PlatformMethods, { url: NODE_URL, path: '/ext/bc/P' })

const { available } = await wallet.balance('P')
console.log(`balance          ${formatAvax(available)} AVAX of ${await wallet.address('P')}`)

const { minDelegatorStake: stake } = await platform.call('platform.getMinStake')
if (available < stake + avax('0.1')) throw new Error(`delegating takes ${formatAvax(stake)} AVAX and a fee`)

// The validator that is given as argument, or the first one that stays long enough.
const end = BigInt(Math.floor(Date.now() / 1_000)) + DAYS * 86_400n
const { validators } = await platform.call('platform.getCurrentValidators')
const longest = validators.find((one) => 'endTime' in one && one.endTime > end)
const nodeId = process.argv[2] ?? longest?.nodeID
if (nodeId === undefined) throw new Error(`no validator stays for ${DAYS} days`)

const { txId } = await wallet.p.delegate({ nodeId, stake, end }, { onStep: ({ name }) => console.log(name) })
console.log(`delegated        ${formatAvax(stake)} AVAX to ${nodeId} for ${DAYS} days in ${txId}`)

const current = await platform.call('platform.getCurrentValidators', { nodeIDs: [nodeId] })
const delegators = current.validators.flatMap((one) => ('delegators' in one ? (one.delegators ?? []) : []))
const reward = delegators.reduce((sum, { potentialReward }) => sum + potentialReward, 0n)
console.log(`delegators       ${delegators.length} with a reward of ${formatAvax(reward)} AVAX in total`)
