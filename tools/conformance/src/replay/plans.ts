import type { Heights } from './Moments.ts'
import * as masks from './masks.ts'

/** Files that are replayed one after the other against the same nodes, freshly started. */
export interface Stage {
  /** Names without the ending. */
  readonly files: readonly string[]
  /** Where the chains stood; those that are not named, at their last recorded block. */
  readonly heights: Heights
  /** When it was recorded, in milliseconds since 1970. */
  readonly now: number
  /** What was put into the plugin folder of the nodes before a line (from 1) was recorded. */
  readonly plugins?: readonly { readonly file: string; readonly line: number; readonly add: Plugins }[]
}

/** Files of a plugin folder: their text by their name. */
export type Plugins = Readonly<Record<string, string>>

/** A node of a recorded network, as far as it differs from a node with default flags. */
export interface RecordedNode {
  readonly nodeID: string
  readonly hasIndex: boolean
  readonly hasAdmin: boolean
  /** The container that its index has not, because it was off while that was accepted. */
  readonly missed?: { readonly chain: 'P' | 'X' | 'C'; readonly height: bigint }
  /** Subnets whose chains it runs. */
  readonly tracks: readonly string[]
}

/** The recorded moments of one network. */
export interface Moments {
  readonly files: readonly string[]
  readonly exceptions: masks.Exceptions
  /** How much later than the last block of the P-chain a file without a time was recorded, in milliseconds, where that shows. */
  readonly later?: Readonly<Record<string, number>>
}

/** How the transcripts of one network are replayed. */
export interface Plan {
  readonly stages: readonly Stage[]
  /** Plugins that the nodes start with. */
  readonly plugins: Plugins
  /** By HTTP port. */
  readonly nodes: Readonly<Record<number, RecordedNode>>
  /** Names of chains in recorded paths, and the names under which an upstream is asked for them. */
  readonly upstreamNames: Readonly<Record<string, string>>
  /** Files that are no transcripts. */
  readonly leftOut: readonly string[]
  readonly exceptions: masks.Exceptions
  /** Files of what a node said at a moment. */
  readonly moments: Moments
}

const seconds = (time: string): number => Date.parse(time)

/** A plugin that starts, called by the id of its VM. */
function plugin(vmID: string): Plugins {
  const exported = { vmID, names: [], version: 'v1.14.2' }
  const lines = Object.entries(exported).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
  )
  return { [`${vmID}.mjs`]: [...lines, 'export const decodeBlock = () => ({})', ''].join('\n') }
}

/** The L1 that the recorded local nodes ran. */
const L1 = {
  subnetID: '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW',
  chainID: 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY',
}

const LOCAL: Plan = {
  stages: [
    {
      files: [
        'platform',
        'info',
        'avm',
        'avm_more',
        'platform_more',
        'index',
        'envelope',
        'eth',
        'l1',
        'avax',
        'health',
        // From here on the names that Admin gives to chains are in force.
        'admin',
        'avax_utxos',
        'platform_utxos',
      ],
      heights: {},
      now: seconds('2026-11-21T00:13:20Z'),
      plugins: [
        {
          file: 'admin',
          line: 111,
          add: {
            ...plugin('2Z36RnQuk1hvsnFeGWzfZUfXNr7w1SjzmDQ78YxfTVNAkDq3nZ'),
            'tGas3T58KzdjcJ2iKSyiYsWiqYctRXaPTqBCA11BqEkNg8kPc.mjs': 'no module',
          },
        },
        { file: 'admin', line: 114, add: { 'not-a-cb58-id.mjs': '' } },
      ],
    },
    { files: ['index_incomplete'], heights: { C: 82n }, now: seconds('2026-11-21T00:12:00Z') },
  ],
  plugins: plugin('srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'),
  nodes: {
    9650: {
      nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
      hasIndex: true,
      hasAdmin: true,
      tracks: [L1.subnetID],
    },
    9652: {
      nodeID: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
      hasIndex: false,
      hasAdmin: false,
      tracks: [L1.subnetID],
    },
    9658: {
      nodeID: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
      hasIndex: true,
      hasAdmin: true,
      tracks: [L1.subnetID],
      missed: { chain: 'C', height: 76n },
    },
    9660: {
      nodeID: 'NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh',
      hasIndex: false,
      hasAdmin: false,
      tracks: [],
    },
  },
  upstreamNames: {
    '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC': 'C',
    recorder1795219996: L1.chainID,
  },
  leftOut: [],
  exceptions: masks.LOCAL,
  moments: {
    files: [
      '00-genesis.json',
      '01-after-x.json',
      '03-staking.json',
      '05-after-conversion.json',
      '07-final.json',
      '08-after-transcripts.json',
      'validators_at.jsonl',
    ],
    exceptions: masks.LOCAL_MOMENTS,
  },
}

const HELICON: Plan = {
  stages: [
    {
      files: ['platform-before', 'index-before', 'avax-before'],
      heights: { P: 11n, X: 2n, C: 71n },
      now: seconds('2026-11-21T01:00:08Z'),
    },
    // The same was asked before and after the upgrade: each time has an upstream of its own.
    {
      files: ['c-node1-before', 'c-node3-defaults-before'],
      heights: { P: 11n, X: 2n, C: 71n },
      now: seconds('2026-11-21T01:00:08Z'),
    },
    {
      files: ['c-node1-after', 'c-node3-defaults-after'],
      heights: { P: 43n, C: 169n },
      now: seconds('2026-11-21T01:12:53Z'),
    },
    {
      files: ['c-node1-before-requests-after', 'c-node3-defaults-before-requests-after'],
      heights: { P: 43n, C: 169n },
      now: seconds('2026-11-21T01:12:53Z'),
    },
    { files: ['info-before'], heights: { P: 11n, X: 2n, C: 70n }, now: seconds('2026-11-21T01:00:08Z') },
    {
      files: ['platform-after', 'info-after', 'index-after', 'avax-after'],
      heights: { P: 43n, C: 169n },
      now: seconds('2026-11-21T01:12:53Z'),
    },
  ],
  plugins: {},
  nodes: {
    9754: {
      nodeID: 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
      hasIndex: false,
      hasAdmin: false,
      tracks: [],
    },
    9750: { nodeID: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', hasIndex: true, hasAdmin: true, tracks: [] },
  },
  upstreamNames: {},
  leftOut: ['c-estimates-after'],
  exceptions: masks.HELICON,
  moments: {
    files: [
      '00-before.json',
      '01-before-helicon.json',
      '02-auto-added.json',
      '03-auto-config-set.json',
      '04-second-cycle.json',
      '05-stop-requested.json',
      '06-stopped.json',
      '07-later.json',
    ],
    exceptions: masks.HELICON_MOMENTS,
    later: { '01-before-helicon.json': 31_000 },
  },
}

/** The plans by network id. */
export const PLANS: Readonly<Record<number, Plan>> = { 12345: LOCAL, 1337: HELICON }
