import type { ChainInfo, Client } from '@firn/client'
import { Amount } from '../components/Amount.tsx'
import { chainTitle } from '../components/evm/OnChain.tsx'
import { Figures } from '../components/Facts.tsx'
import { Id } from '../components/Id.tsx'
import { Loadable } from '../components/Loadable.tsx'
import { PageHead } from '../components/PageHead.tsx'
import { Panel } from '../components/Panel.tsx'
import { Status, toneOf } from '../components/Status.tsx'
import { type Column, Table } from '../components/Table.tsx'
import { Time } from '../components/Time.tsx'
import { count } from '../format/Amounts.ts'
import { ALIASES, CHAINS, PRIMARY_NETWORK_ID } from '../format/Chains.ts'
import { clean } from '../format/ChainText.ts'
import { format, relative } from '../format/Times.ts'
import { link } from '../Routes.ts'
import { absolute } from '../state/Landing.ts'
import { type Session, useSession } from '../state/Session.ts'
import { useLoaded } from '../state/useLoaded.ts'

/** How often heights are requested. */
const REFRESH_MS = 10_000

/** Networks and chains that the service serves, with heights, freshness and health. */
export function Page() {
  const session = useSession()
  const { landing, data, network } = session
  return (
    <>
      <PageHead
        title={network === undefined ? `Firn ${landing.name}` : networkTitle(network)}
        actions={<Status tone={toneOf(landing.status)}>{landing.status}</Status>}
      >
        {landing.description}
      </PageHead>
      {landing.problems.length > 0 && (
        <div class="note note-warn" role="status">
          {landing.problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </div>
      )}
      {network !== undefined && <Stake />}
      {data !== undefined && <Chains session={session} />}
      <Services session={session} />
    </>
  )
}

function networkTitle(network: string): string {
  return `Avalanche ${network.charAt(0).toUpperCase()}${network.slice(1)}`
}

function Stake() {
  const { data, network = '' } = useSession()
  const details = useLoaded(
    (signal) => data?.primaryNetwork.getNetworkDetails({ network }, { signal }) ?? Promise.reject(),
    [network],
    REFRESH_MS,
  )
  return (
    <Loadable loaded={details} what="the stake">
      {({ validatorDetails, delegatorDetails }) => (
        <Figures
          facts={[
            ['Validators', <a href={link('validators')}>{count(validatorDetails.validatorCount)}</a>],
            ['Stake of validators', <Amount value={validatorDetails.totalAmountStaked} />],
            ['Delegations', count(delegatorDetails.delegatorCount)],
            ['Delegated stake', <Amount value={delegatorDetails.totalAmountStaked} />],
            ['Share of the supply at stake', percent(Number(validatorDetails.stakingRatio))],
          ]}
        />
      )}
    </Loadable>
  )
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}

/** The newest block of a chain. */
interface Tip {
  readonly name: string
  readonly detail: string
  readonly href: string
  readonly height: string
  readonly time: number | undefined
  readonly problem?: string | undefined
}

const TIPS: readonly Column<Tip>[] = [
  {
    title: 'Chain',
    cell: ({ name, href }) => (
      <a href={href}>
        <bdi>{name}</bdi>
      </a>
    ),
    text: ({ name }) => name,
  },
  { title: 'Kind', cell: ({ detail }) => <span class="muted">{detail}</span>, text: ({ detail }) => detail },
  {
    title: 'Height',
    cell: ({ height }) => (height === '' ? '–' : count(height)),
    text: ({ height }) => height,
    isNumber: true,
  },
  {
    title: 'Newest block',
    cell: ({ time, problem }) =>
      time === undefined ? (
        <span class="muted">{problem ?? 'no blocks'}</span>
      ) : (
        <>
          <Time at={time} /> <span class="muted">({relative(time)})</span>
        </>
      ),
    text: ({ time }) => (time === undefined ? '' : format(time, 'utc')),
  },
]

function Chains({ session }: { readonly session: Session }) {
  const tips = useLoaded((signal) => loadTips(session, signal), [session.network], REFRESH_MS)
  return (
    <Panel title="Chains">
      <Table
        name="Chains"
        rows={tips.value ?? []}
        columns={TIPS}
        rowKey={({ name, detail }) => `${name} ${detail}`}
        empty="This service serves no chain."
        isLoading={tips.isLoading && tips.value === undefined}
        error={tips.error}
        onMore={tips.reload}
      />
    </Panel>
  )
}

async function loadTips({ data, network }: Session, signal: AbortSignal): Promise<readonly Tip[]> {
  if (data === undefined) return []
  const { chains = [] } = await data.evm.supportedChains({}, { signal }).catch(() => ({ chains: [] }))
  const primary = network === undefined ? [] : ALIASES
  return Promise.all([
    ...primary.map((alias) => primaryTip(alias, { data, network: network ?? '', chains, signal })),
    ...chains.map((chain) => evmTip(chain, data, signal)),
  ])
}

type TipBlock = { readonly blockNumber: string; readonly blockTimestamp: number }

/** Adds the newest block to a chain, or what its request fails with. */
async function addTip(
  chain: Pick<Tip, 'name' | 'detail' | 'href'>,
  request: Promise<{ readonly blocks: readonly TipBlock[] }>,
): Promise<Tip> {
  try {
    const [block] = (await request).blocks
    return { ...chain, height: block?.blockNumber ?? '', time: block?.blockTimestamp }
  } catch (error) {
    return { ...chain, height: '', time: undefined, problem: clean((error as Error).message) }
  }
}

function primaryTip(
  alias: (typeof ALIASES)[number],
  {
    data,
    network,
    chains,
    signal,
  }: {
    readonly data: Client
    readonly network: string
    readonly chains: readonly ChainInfo[]
    readonly signal: AbortSignal
  },
): Promise<Tip> {
  // The C-chain is the EVM chain of the Primary Network. The pages of EVM chains show more of it than its blocks.
  const evm = alias === 'C' ? chains.find((one) => isCChain(one, network)) : undefined
  const href =
    evm === undefined ? link('blocks', {}, { chain: alias }) : link('evmChain', { chainId: evm.chainId })
  const parameters = { network, blockchainId: CHAINS[alias], pageSize: 1 }
  return addTip(
    { name: `${alias}-chain`, detail: 'Primary Network', href },
    data.primaryNetwork.listLatestPrimaryNetworkBlocks(parameters, { signal }),
  )
}

function isCChain({ subnetId, isTestnet }: ChainInfo, network: string): boolean {
  return subnetId === PRIMARY_NETWORK_ID && isTestnet === (network !== 'mainnet')
}

function evmTip(chain: ChainInfo, { evm }: Client, signal: AbortSignal): Promise<Tip> {
  const { chainId } = chain
  return addTip(
    { name: chainTitle(chain), detail: `EVM chain ${chainId}`, href: link('evmChain', { chainId }) },
    evm.getLatestBlocks({ chainId, pageSize: 1 }, { signal }),
  )
}

function Services({ session: { landing } }: { readonly session: Session }) {
  return (
    <Panel title="This service">
      <ul class="found">
        <li>
          <strong>{landing.name}</strong> <span class="muted">version {landing.version}</span>
        </li>
        {landing.links.map(({ href, title }) => (
          <li key={href}>
            {/POST/.test(title) ? <span>{title}</span> : <a href={absolute(href)}>{title}</a>}
            <Id id={href} isWhole />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
