import type { Rule, Violation } from '../Rule.ts'
import type { Manifest, Package, Workspace } from '../Workspace.ts'

/** Fields of package.json that have the same value in every public package, except for the folder. */
const sharedFields = (root: Manifest, folder: string): Readonly<Record<string, unknown>> => {
  const { homepage = '', repository, bugs } = root
  return {
    type: 'module',
    homepage: homepage.replace('#readme', `/tree/main/${folder}#readme`),
    repository: { ...repository, directory: folder },
    bugs,
  }
}

const REQUIRED_FILES = ['!**/*.test.*', '!**/*.bench.*', '!**/*.test-d.*', '!**/fixtures']

const leastNode = ({ engines }: Manifest): string | undefined =>
  /^>=(\d+\.\d+)$/.exec(engines?.['node'] ?? '')?.[1]

const isLater = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) > 0

/** The configuration of the compiler that knows only what the least Node version has. */
const NODE_20 = 'tsconfig.node20.json'

const nodeBreaches = (workspace: Workspace, { folder, manifest }: Package): readonly string[] => {
  const least = leastNode(manifest)
  if (least === undefined) return ['engines.node should be the least version, such as >=20.19']
  const later = workspace.packages.filter(
    ({ name, manifest: other }) =>
      name in (manifest.dependencies ?? {}) && isLater(leastNode(other) ?? '', least),
  )
  const project = `${folder}/tsconfig.json`
  const isChecked = workspace.files.includes(project) && workspace.read(project).includes(NODE_20)
  return [
    ...later.map(({ name }) => `it supports Node ${least}, but ${name} needs a later version`),
    ...(least.startsWith('20.') && !isChecked
      ? [`it supports Node ${least}, so its tsconfig.json should extend ${NODE_20}`]
      : []),
  ]
}

const fieldBreaches = (root: Manifest, { folder, manifest }: Package): readonly string[] => {
  const given = manifest as Readonly<Record<string, unknown>>
  const wrong = Object.entries(sharedFields(root, folder)).filter(
    ([name, value]) => JSON.stringify(given[name]) !== JSON.stringify(value),
  )
  const { keywords = [], files = [], description = '', license = '' } = manifest
  return [
    ...wrong.map(([name, value]) => `${name} should be ${JSON.stringify(value)}`),
    // Data of others has its own licence beside ours.
    ...(license.split(/[() ]/).includes(root.license ?? '')
      ? []
      : [`license should contain ${root.license}`]),
    ...(description === '' ? ['it has no description'] : []),
    ...(keywords.length >= 3 && keywords.includes('avalanche')
      ? []
      : ['keywords should be "avalanche" and at least two more']),
    ...(typeof given['sideEffects'] === 'boolean' ? [] : ['sideEffects should be true or false']),
    ...REQUIRED_FILES.filter((pattern) => !files.includes(pattern)).map(
      (pattern) => `files should contain ${JSON.stringify(pattern)}`,
    ),
  ]
}

/** Returns what the README of a package must say, because it is the package's page in the registry. */
const requirements = ({ name, manifest }: Package, typescript: string): readonly string[] => [
  `\`npm install ${name}\``,
  `Node ${leastNode(manifest)}`,
  // A package that is published from a separate folder is a program without exports.
  ...(manifest.publishConfig?.directory === undefined ? [`TypeScript ${typescript}`] : []),
]

const LEAST_TYPESCRIPT = /"typescript-least": "npm:typescript@(\d+\.\d+)/

const readmeBreaches = (workspace: Workspace, owner: Package, typescript: string): readonly Violation[] => {
  const where = `${owner.folder}/README.md`
  const text = workspace.files.includes(where) ? workspace.read(where) : ''
  return requirements(owner, typescript)
    .filter((sentence) => !text.includes(sentence))
    .map((sentence) => ({ where, message: `the README does not say ${sentence}` }))
}

const run = ({ workspace }: { readonly workspace: Workspace }) => {
  const root = JSON.parse(workspace.read('package.json')) as Manifest
  const typescript = LEAST_TYPESCRIPT.exec(workspace.read('tools/check/package.json'))?.[1] ?? ''
  const owners = workspace.packages.filter(({ manifest }) => manifest.private !== true)
  const violations = owners.flatMap((owner) => [
    ...[...fieldBreaches(root, owner), ...nodeBreaches(workspace, owner)].map((message) => ({
      where: `${owner.folder}/package.json`,
      message,
    })),
    ...readmeBreaches(workspace, owner, typescript),
  ])
  return { examined: `${owners.length} packages`, violations }
}

/** Checks that the package.json and the README of each public package say what a registry and its users need. */
export const publication: Rule = { name: 'publication', run }
