// This module is loaded into every Node process that a README command starts. Connections to the public
// networks' hosts end at a server on loopback, and connections to any other host are refused. A command that syncs a
// public network from its peers gets the addresses of peers on loopback.
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import tls from 'node:tls'
import '../../start/src/shortLived.mjs'

const { FIRN_README_HOSTS = '', FIRN_README_PORT = '0', FIRN_README_PEERS = '{}' } = process.env
const hosts = FIRN_README_HOSTS.split(',')
const loopback = ['localhost', '127.0.0.1', '::1']

const command = process.argv.join(' ')
const [, network] = /--network(?:-id)?[ =](\w+)/.exec(command) ?? []
if (!/--(upstream|from)\b/.test(command)) Object.assign(process.env, JSON.parse(FIRN_README_PEERS)[network])

const connect = tls.connect
tls.connect = (options, ...rest) => {
  const host = options?.servername || options?.host
  if (!hosts.includes(host)) return connect(options, ...rest)
  const { socket: _, lookup: __, ...kept } = options
  return connect(
    { ...kept, host: '127.0.0.1', port: Number(FIRN_README_PORT), rejectUnauthorized: false },
    ...rest,
  )
}

const lookup = dns.lookup
dns.lookup = (host, ...rest) => {
  if (loopback.includes(host)) return lookup(host, ...rest)
  const error = Object.assign(new Error(`README commands may only connect to loopback, got ${host}`), {
    code: 'ENOTFOUND',
  })
  process.nextTick(rest.at(-1), error)
}
syncBuiltinESMExports()
