import { encodeAbiParameters, encodeFunctionData, type Hex, parseAbi, parseAbiParameters } from 'viem'
import { type Call, call, callAll } from './internal/call.ts'
import { PROXY_CODE } from './proxyCode.ts'

/** Proxies of a token, of each standard, and their beacon. All start with the first version of the token. */
export interface Proxies {
  /** The two versions of the token: `First` with 6 decimals, and `Second` with 8. */
  readonly versions: readonly [first: Hex, second: Hex]
  /** Clone by EIP-1167. It cannot be upgraded. */
  readonly clone: Hex
  /** Proxies that store the implementation in the slot of EIP-1967, EIP-1822 and the first OpenZeppelin proxies. */
  readonly eip1967: Hex
  readonly eip1822: Hex
  readonly zeppelinos: Hex
  readonly beacon: Hex
  /** Two proxies of the beacon. */
  readonly beaconProxies: readonly [Hex, Hex]
  /** Mines a block at a time in Unix seconds, in which contracts get the second version. */
  readonly upgrade: (contracts: readonly Hex[], time: number) => Promise<void>
  /** Mines an empty block. */
  readonly block: (time: number) => Promise<void>
}

const SLOTS = {
  eip1967: '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc',
  eip1822: '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7',
  zeppelinos: '0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3',
} as const
const ABI = parseAbi(['function upgradeTo(address next)'])
const GAS = '0x1e8480'

/**
 * Deploys the contracts of `contracts/Proxies.sol` in three blocks, the first at `time` in Unix seconds, and the others
 * each a second later.
 * @throws DemoChainError `DEMO_CHAIN_CALL`
 */
export async function createProxies(url: string, time: number): Promise<Proxies> {
  const [from] = await call<Hex[]>(url, 'eth_accounts', [])
  const mine = async (transactions: readonly { readonly to?: Hex; readonly data: Hex }[], at: number) => {
    const calls = transactions.map((one): Call => ['eth_sendTransaction', [{ ...one, from, gas: GAS }]])
    const hashes = calls.length === 0 ? [] : await callAll<Hex>(url, calls)
    await call(url, 'evm_setNextBlockTimestamp', [at])
    await call(url, 'evm_mine', [])
    return hashes
  }
  const deploy = async (codes: readonly Hex[], at: number): Promise<readonly Hex[]> => {
    const hashes = await mine(
      codes.map((data) => ({ data })),
      at,
    )
    const calls = hashes.map((hash): Call => ['eth_getTransactionReceipt', [hash]])
    return (await callAll<{ contractAddress: Hex }>(url, calls)).map(({ contractAddress }) => contractAddress)
  }
  const [first, second] = (await deploy([PROXY_CODE.First, PROXY_CODE.Second], time)) as [Hex, Hex]
  const slotProxy = (slot: Hex): Hex =>
    join(PROXY_CODE.SlotProxy, encodeAbiParameters(parseAbiParameters('bytes32, address'), [slot, first]))
  const toAddress = (code: Hex, address: Hex): Hex =>
    join(code, encodeAbiParameters(parseAbiParameters('address'), [address]))
  const [clone, eip1967, eip1822, zeppelinos, beacon] = (await deploy(
    [
      `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${first.slice(2)}5af43d82803e903d91602b57fd5bf3`,
      slotProxy(SLOTS.eip1967),
      slotProxy(SLOTS.eip1822),
      slotProxy(SLOTS.zeppelinos),
      toAddress(PROXY_CODE.Beacon, first),
    ],
    time + 1,
  )) as [Hex, Hex, Hex, Hex, Hex]
  const beaconProxy = toAddress(PROXY_CODE.BeaconProxy, beacon)
  const beaconProxies = (await deploy([beaconProxy, beaconProxy], time + 2)) as [Hex, Hex]
  const data = encodeFunctionData({ abi: ABI, args: [second] })
  return {
    versions: [first, second],
    clone,
    eip1967,
    eip1822,
    zeppelinos,
    beacon,
    beaconProxies,
    async upgrade(contracts, at) {
      await mine(
        contracts.map((to) => ({ to, data })),
        at,
      )
    },
    async block(at) {
      await mine([], at)
    },
  }
}

function join(code: Hex, parameters: Hex): Hex {
  return `${code}${parameters.slice(2)}`
}
