import { type Copy, DockerfileParser, type From, type JSONInstruction } from 'dockerfile-ast'
import { DeployError } from './DeployError.ts'

/** An instruction of a Dockerfile, without its flags. */
export interface Instruction {
  /** Keyword in uppercase, such as `RUN`. */
  readonly keyword: string
  /** Values of flags such as `--from=build`, by name. */
  readonly flags: Readonly<Record<string, string>>
  /** The arguments: the strings of the JSON form, otherwise the words. */
  readonly words: readonly string[]
  readonly isJson: boolean
  /** The arguments as one text in which continued lines are joined. */
  readonly text: string
  /** Line number, starting at 1. */
  readonly line: number
}

/** A stage of a Dockerfile: `FROM` and the instructions that follow it. */
export interface Stage {
  readonly name: string | undefined
  readonly image: string
  readonly instructions: readonly Instruction[]
}

/**
 * Returns the stages of a Dockerfile in their order.
 * @throws DeployError `DEPLOY_DOCKERFILE` if an instruction precedes the first `FROM`
 */
export function parse(text: string): readonly Stage[] {
  const stages: { name: string | undefined; image: string; instructions: Instruction[] }[] = []
  for (const one of DockerfileParser.parse(text).getInstructions()) {
    const keyword = one.getKeyword()
    if (keyword === 'FROM') {
      const from = one as From
      stages.push({ name: from.getBuildStage() ?? undefined, image: from.getImage() ?? '', instructions: [] })
      continue
    }
    const line = one.getRange().start.line + 1
    const stage = stages.at(-1)
    if (stage === undefined)
      throw new DeployError('DEPLOY_DOCKERFILE', `line ${line}: expected FROM, got ${keyword}`)
    const strings = 'getJSONStrings' in one ? (one as JSONInstruction).getJSONStrings() : []
    const given = 'getFlags' in one ? (one as Copy).getFlags() : []
    const words = one.getArguments().map((argument) => argument.getValue())
    stage.instructions.push({
      keyword,
      flags: Object.fromEntries(given.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
      words: strings.length > 0 ? strings.map((argument) => argument.getJSONValue()) : words,
      isJson: strings.length > 0,
      text: words.join(' '),
      line,
    })
  }
  return stages
}

/** Returns the last instruction of a kind, which is the one that counts. */
export const last = ({ instructions }: Stage, keyword: string): Instruction | undefined =>
  instructions.findLast((one) => one.keyword === keyword)

/** A rule returns what is wrong, or undefined. */
type StageRule = (stage: Stage, isFinal: boolean) => string | undefined

const finalRule =
  (rule: (stage: Stage) => string | undefined): StageRule =>
  (stage, isFinal) =>
    isFinal ? rule(stage) : undefined

/** What a stage must satisfy in addition to the syntax of Dockerfiles. */
const RULES: Readonly<Record<string, StageRule>> = {
  'an image has a tag that is not latest': ({ image }) =>
    /:(?!latest$)[\w.-]+$|@sha256:/.test(image) ? undefined : image,
  'WORKDIR is an absolute path': ({ instructions }) =>
    instructions.find(({ keyword, words }) => keyword === 'WORKDIR' && !words[0]?.startsWith('/'))?.words[0],
  'RUN uses paths below WORKDIR, and no sudo, cd, apt-get upgrade or pipe to a shell': ({ instructions }) =>
    instructions.find(
      ({ keyword, text }) =>
        keyword === 'RUN' &&
        /(^|[\s"'=])\/\w|\bsudo\b|(^|\s)cd\s|apt-get (dist-)?upgrade|\|\s*(ba)?sh\b/.test(text),
    )?.text,
  'files are added by COPY': ({ instructions }) =>
    instructions.find(({ keyword }) => keyword === 'ADD')?.text,
  'no ENV or ARG contains a secret': ({ instructions }) =>
    instructions.find(
      ({ keyword, text }) =>
        /ENV|ARG/.test(keyword) && /(password|secret|token|private_key|api_keys?)=/i.test(text),
    )?.text,
  'the user is a number other than 0': finalRule((stage) => {
    const user = last(stage, 'USER')?.words[0] ?? 'none'
    return /^[1-9]\d*(:[1-9]\d*)?$/.test(user) ? undefined : user
  }),
  'ENTRYPOINT and CMD have the JSON form': finalRule((stage) => {
    const found = ['ENTRYPOINT', 'CMD'].map((keyword) => last(stage, keyword))
    return found.every((one) => one?.isJson) ? undefined : found.map((one) => one?.text ?? 'none').join(', ')
  }),
  'there is a HEALTHCHECK without a shell, curl or wget': finalRule((stage) => {
    const check = last(stage, 'HEALTHCHECK')
    if (check === undefined) return 'none'
    return /\[.*\]/.test(check.text) && !/\b(curl|wget|sh)\b/.test(check.text) ? undefined : check.text
  }),
  'the last stage runs nothing, because its base has no shell': finalRule(
    (stage) => last(stage, 'RUN')?.text,
  ),
}

/** Returns what violates the rules of this project, such as `an image has a tag that is not latest: node`. */
export function violations(stages: readonly Stage[]): readonly string[] {
  return Object.entries(RULES).flatMap(([name, rule]) =>
    stages.flatMap((stage, index) => {
      const found = rule(stage, index === stages.length - 1)
      return found === undefined ? [] : [`${name}: ${found}`]
    }),
  )
}
