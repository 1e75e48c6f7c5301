import { Type } from '@firn/options'

/** The name of a network, or `auto` for the network of the upstream. */
export const TYPE: Type.Type<string> = {
  ...Type.networkName,
  expected: `auto, ${Type.networkName.expected}`,
  parse: (given) => (given === 'auto' ? given : Type.networkName.parse(given)),
  fromJson: (json) => (json === 'auto' ? json : Type.networkName.fromJson(json)),
}
