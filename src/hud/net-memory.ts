import type { NetSession } from "./subject.js";

/** Real seconds over which rates are averaged. */
const SECONDS = 1;

interface Sample {
  readonly time: number;
  readonly tick: number;
  readonly rollbacks: number;
  readonly resimulatedTicks: number;
  readonly packetsSent: number;
  readonly bytesSent: number;
}

/** The last figures of a network session, for rates: its own figures count from the start. */
export class NetMemory {
  private samples: Sample[] = [];
  private session: NetSession | undefined;

  /** Adds the figures at a time in real seconds. Forgets those of another session. */
  add(session: NetSession, time: number): void {
    if (session !== this.session) this.samples = [];
    this.session = session;
    const { rollbacks, resimulatedTicks, packetsSent, bytesSent } = session.net;
    this.samples.push({
      time,
      tick: session.tick,
      rollbacks,
      resimulatedTicks,
      packetsSent,
      bytesSent,
    });
    while (this.samples.length > 2 && this.samples[1]!.time <= time - SECONDS) this.samples.shift();
  }

  /** Returns how much a figure has grown. */
  growth(name: keyof Sample): number {
    const { samples } = this;
    return samples.length === 0 ? 0 : samples.at(-1)![name] - samples[0]![name];
  }
}
