import * as masks from './masks.ts'
import type { Plan, Plugins } from './Plan.ts'

/** Transcripts that were recorded together, with facts that their files do not contain. */
export type Transcripts = Plan & {
  /** Names without extension of files that are not transcripts. */
  readonly leftOut: readonly string[]
}

const seconds = (time: string): number => Date.parse(time)

/** Returns the files of a working plugin, named after the id of its VM. */
function plugin(vmId: string): Plugins {
  const exported = { vmID: vmId, names: [], version: 'v1.14.2' }
  const lines = Object.entries(exported).map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)}`,
  )
  return { [`${vmId}.mjs`]: [...lines, 'export const decodeBlock = () => ({})', ''].join('\n') }
}

/** The L1 that the recorded local nodes ran. */
const L1 = {
  subnetID: '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW',
  chainID: 'vJHF8BhQ6B2CLVLfoAUX4b2PnTRy4VXWUSaVgCNYZNfSZUnNY',
}

const LOCAL: Transcripts = {
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
        // The requests in this file add chain aliases through the Admin API. The aliases also apply to all
        // later files.
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
      nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
      hasIndex: true,
      hasAdmin: true,
      tracks: [L1.subnetID],
    },
    9652: {
      nodeId: 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ',
      hasIndex: false,
      hasAdmin: false,
      tracks: [L1.subnetID],
    },
    9658: {
      nodeId: 'NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5',
      hasIndex: true,
      hasAdmin: true,
      tracks: [L1.subnetID],
      missed: { chain: 'C', height: 76n },
    },
    9660: {
      nodeId: 'NodeID-6Q4DHSHzUuw4dR1eVtZ7mmkSwQYBFsGTh',
      hasIndex: false,
      hasAdmin: false,
      tracks: [],
    },
  },
  upstreamNames: { recorder1795219996: L1.chainID },
  leftOut: [],
  exceptions: masks.LOCAL,
}

const HELICON: Transcripts = {
  stages: [
    {
      files: ['platform-before', 'index-before', 'avax-before'],
      heights: { P: 11n, X: 2n, C: 71n },
      now: seconds('2026-11-21T01:00:08Z'),
    },
    // The same requests were recorded before and after the upgrade, so each stage needs its own upstream.
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
      nodeId: 'NodeID-NFBbbJ4qCmNaCzeW7sxErhvWqvEQMnYcN',
      hasIndex: false,
      hasAdmin: false,
      tracks: [],
    },
    9750: { nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg', hasIndex: true, hasAdmin: true, tracks: [] },
  },
  upstreamNames: {},
  leftOut: ['c-estimates-after'],
  exceptions: masks.HELICON,
}

/** The transcripts whose nodes and recording times are known. */
export const TRANSCRIPTS: readonly Transcripts[] = [LOCAL, HELICON]
