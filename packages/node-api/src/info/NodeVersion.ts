/** The version of the node that this replica speaks like, as it is shown: in answers, in its configuration, to peers. */
export const NODE = 'avalanchego/1.14.2'

/** Of the database format, the plugin protocol and the sources, as `info.getNodeVersion` shows them. */
export const DATABASE = 'v1.4.5'
export const RPC_PROTOCOL = 45
export const GIT_COMMIT = ''

/** Of the virtual machines of the Primary Network. */
export const VMS: Readonly<Record<string, string>> = { avm: NODE, evm: 'v1.14.2', platform: NODE }
