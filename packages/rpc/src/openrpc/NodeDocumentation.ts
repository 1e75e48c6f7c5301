import type { AdminMethods, HealthMethods, InfoMethods } from '../layouts.ts'
import type { Documentation } from './Documentation.ts'

/** The documentation of the Info API. */
export const INFO: Documentation<typeof InfoMethods> = {
  'info.acps': { summary: 'Returns the votes of connected validators on proposals, by proposal number.' },
  'info.getBlockchainID': {
    summary: 'Returns the id of a blockchain by an alias.',
    params: { alias: 'Alias of the blockchain, such as `X`.' },
  },
  'info.getNetworkID': { summary: 'Returns the id of the network, such as 1 for Mainnet.' },
  'info.getNetworkName': { summary: 'Returns the name of the network, such as `mainnet`.' },
  'info.getNodeID': {
    summary: 'Returns the NodeID of the node, and its BLS key with the proof of possession.',
  },
  'info.getNodeIP': { summary: 'Returns the address and port at which peers reach the node.' },
  'info.getNodeVersion': { summary: 'Returns the versions of the node, of its database and of its VMs.' },
  'info.getTxFee': { summary: 'Returns the fixed transaction fees of the network, in nAVAX.' },
  'info.getVMs': {
    summary: 'Returns the aliases of each VM by its id, and the names of feature extensions.',
  },
  'info.isBootstrapped': {
    summary: 'Returns whether the node has bootstrapped a chain.',
    params: { chain: 'Id or alias of the chain.' },
  },
  'info.peers': {
    summary: 'Returns the peers to which the node is connected.',
    params: { nodeIDs: 'NodeIDs of the peers to return; all by default.' },
  },
  'info.upgrades': { summary: 'Returns the activation times of the network upgrades.' },
  'info.uptime': { summary: "Returns the node's own uptime as its peers see it, in percent." },
}

const tags = 'Tags of the checks to include, such as a subnet id; all by default.'

/** The documentation of the Health API. */
export const HEALTH: Documentation<typeof HealthMethods> = {
  'health.health': { summary: 'Returns the results of the health checks.', params: { tags } },
  'health.liveness': {
    summary: 'Returns the results of the liveness checks, which fail if the process must be restarted.',
    params: { tags },
  },
  'health.readiness': {
    summary: 'Returns the results of the readiness checks, which pass when the node has bootstrapped.',
    params: { tags },
  },
}

/** The documentation of the Admin API. */
export const ADMIN: Documentation<typeof AdminMethods> = {
  'admin.alias': {
    summary: 'Serves an API under another path as well.',
    params: {
      endpoint: 'Path of the API without `/ext/`, such as `bc/X`.',
      alias: 'The additional path without `/ext/`.',
    },
  },
  'admin.aliasChain': {
    summary: 'Adds an alias to a blockchain, for arguments and paths.',
    params: { chain: 'Id or alias of the blockchain.', alias: 'The additional alias.' },
  },
  'admin.getChainAliases': {
    summary: 'Returns the aliases of a blockchain.',
    params: { chain: 'Id of the blockchain.' },
  },
  'admin.getLoggerLevel': {
    summary: 'Returns the levels of a logger.',
    params: { loggerName: 'Name of the logger; empty for all loggers.' },
  },
  'admin.setLoggerLevel': {
    summary: 'Changes the levels of a logger, and returns them.',
    params: {
      loggerName: 'Name of the logger; empty for all loggers.',
      logLevel: 'Level of the log file; unchanged by default.',
      displayLevel: 'Level of the standard output; unchanged by default.',
    },
  },
  'admin.loadVMs': { summary: 'Loads new VM plugins, and returns them and those that failed to load.' },
  'admin.startCPUProfiler': { summary: 'Starts to record a CPU profile.' },
  'admin.stopCPUProfiler': { summary: 'Stops the CPU profile, and writes it to the profile folder.' },
  'admin.memoryProfile': { summary: 'Writes a memory profile to the profile folder.' },
  'admin.lockProfile': { summary: 'Writes a profile of contention to the profile folder.' },
  'admin.stacktrace': { summary: 'Writes the current stack traces to a file.' },
  'admin.getConfig': { summary: 'Returns the configuration of the node.' },
  'admin.dbGet': {
    summary: 'Returns the value of a key in the database.',
    params: { key: 'The key, as hex with 0x.' },
  },
}
