import { NodeId } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { describe, expect, test } from 'vitest'
import type { Configuration } from '../Configuration.ts'
import { createConfiguration } from '../Configuration.ts'
import * as NodeConfig from './NodeConfig.ts'

const SUBNET = '249Gk2KCQwQUQgUcMFCfPmV3iz6f4bkYzXPt93eShnFi82WtZW'
const NODE = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
type Tree = { readonly [member: string]: Tree }

function config(
  configuration: Partial<Configuration> = {},
  facts: Partial<NodeConfig.ConfigFacts> = {},
): Tree {
  return NodeConfig.toJSON({
    configuration: createConfiguration({ dataDir: '/data', ...configuration }),
    constants: Networks.MAINNET,
    avaxAssetId: new Uint8Array(32),
    nodeId: NodeId.parse(NODE),
    ip: '',
    database: { name: 'pglite', path: '/data/db' },
    chainAliases: null,
    vmAliases: null,
    parallelism: 4,
    ...facts,
  }) as Tree
}

describe('configuration in the format of a node', () => {
  test('returns the node’s default values, except for the port', () => {
    const json = config()
    expect(Object.keys(json)).toHaveLength(40)
    expect(json).toMatchObject({
      httpConfig: { readTimeout: 30_000_000_000n, httpPort: 8701, apiConfig: { adminAPIEnabled: false } },
      stakingConfig: {
        minStakeDuration: 1_209_600_000_000_000n,
        stakingTLSKeyPath: '/data/staking/staker.key',
        stakingSingerConfig: { keyPath: '/data/staking/signer.key', keyPathIsSet: false },
      },
      txFeeConfig: { createAssetTxFee: 10_000_000n },
      bootstrapConfig: { bootstrappers: [] },
      healthCheckFreq: 30_000_000_000n,
      networkConfig: { delayConfig: { maxReconnectDelay: 60_000_000_000n }, allowPrivateIPs: false },
      profilerConfig: { dir: '/data/profiles' },
      loggingConfig: { directory: '/data/logs', logLevel: 'INFO', displayLevel: 'INFO' },
      pluginDir: '/data/plugins',
      fdLimit: 32_768,
      trackedSubnets: [],
      cpuTargeterConfig: { maxNonVdrUsage: 3.2, maxNonVdrNodeUsage: 0.5 },
      chainDataDir: '/data/chainData',
      processContextFilePath: '/data/process.json',
    })
    expect(Object.keys(json['subnetConfigs'] as Tree)).toEqual(['11111111111111111111111111111111LpoYY'])
  })

  test('contains the values of the configured options', () => {
    const json = config(
      {
        logLevel: 'DEBUG',
        logDisplayLevel: 'OFF',
        httpReadTimeout: 1.5,
        bootstrapIps: ['1.2.3.4:9651'],
        bootstrapIds: [NODE],
        trackSubnets: [SUBNET],
        stakingSignerKeyFile: '/other/signer.key',
        stakingEphemeralCertEnabled: true,
      },
      { constants: Networks.LOCAL, chainAliases: { [SUBNET]: ['mine'] }, vmAliases: {} },
    )
    expect(json).toMatchObject({
      httpConfig: { readTimeout: 1_500_000n },
      bootstrapConfig: { bootstrappers: [{ id: NODE, ip: '1.2.3.4:9651' }] },
      stakingConfig: { stakingSingerConfig: { keyPathIsSet: true, ephemeralSignerEnabled: true } },
      networkConfig: { allowPrivateIPs: true },
      loggingConfig: { logLevel: 'DEBUG', displayLevel: 'OFF' },
      trackedSubnets: [SUBNET],
      chainAliases: { [SUBNET]: ['mine'] },
      vmAliases: {},
    })
    expect(Object.keys(json['subnetConfigs'] as Tree)).toEqual([
      '11111111111111111111111111111111LpoYY',
      SUBNET,
    ])
  })
})
