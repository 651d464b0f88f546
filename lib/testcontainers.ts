import { randomBytes } from 'node:crypto'
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { control, createWorld } from './client.ts'
import type { Control, TestWorld, WorldOptions } from './types.ts'

/** The port of the image. */
const PORT = 4400

/** A container of the image that Containerfile builds, with temporary worlds. */
export class MercaditoContainer extends GenericContainer {
  constructor(image = 'mercadito') {
    super(image)
    this.withExposedPorts(PORT)
    this.withEnvironment({
      // The server requires one, because other machines may reach it.
      MERCADITO_ADMIN_TOKEN: randomBytes(24).toString('hex'),
      // Empty counts as not set: no data folder.
      MERCADITO_DATA: '',
    })
    // The default strategy runs a shell in the container, and the image has none.
    this.withWaitStrategy(Wait.forHttp('/readyz', PORT))
  }

  override async start(): Promise<StartedMercaditoContainer> {
    return new StartedMercaditoContainer(await super.start(), this.environment.MERCADITO_ADMIN_TOKEN!)
  }
}

export class StartedMercaditoContainer extends AbstractStartedContainer {
  /** The token that control calls need. */
  readonly adminToken: string

  constructor(container: StartedTestContainer, adminToken: string) {
    super(container)
    this.adminToken = adminToken
  }

  /** Base address, as this machine reaches it. */
  get url(): string {
    return `http://${this.getHost()}:${this.getMappedPort(PORT)}`
  }

  /** A client of the control plane, for the default world. */
  get control(): Control {
    return control(this.url, { adminToken: this.adminToken })
  }

  /** Creates a world, for one test. */
  createWorld(options: Omit<WorldOptions, 'url' | 'adminToken'> = {}): Promise<TestWorld> {
    return createWorld({ ...options, url: this.url, adminToken: this.adminToken })
  }
}
