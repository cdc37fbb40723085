// Videos: every picture once, each at its own time where the browser encodes pictures (WebCodecs); recorded while it plays elsewhere.

import { type Packet, webm } from './webm';

export interface Shots {
  count: number;
  rate: number; // pictures a second
  canvas: HTMLCanvasElement; // of even width and height
  draw(i: number): void;
  told(done: number): void;
  stopped(): boolean;
}

const KEY_EVERY = 60;
const CODECS = [
  { name: 'vp09.00.51.08', id: 'V_VP9' },
  { name: 'vp8', id: 'V_VP8' },
] as const;

const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds));

async function choose(shots: Shots): Promise<{ config: VideoEncoderConfig; id: 'V_VP8' | 'V_VP9' } | null> {
  if (typeof VideoEncoder === 'undefined') return null;
  const { width, height } = shots.canvas;
  for (const { name, id } of CODECS) {
    const config: VideoEncoderConfig = { codec: name, width, height, bitrate: Math.max(2e6, 0.15 * width * height * shots.rate), framerate: shots.rate, latencyMode: 'quality' };
    const answer = await VideoEncoder.isConfigSupported(config).catch(() => null);
    if (answer?.supported) return { config, id };
  }
  return null;
}

async function encode(shots: Shots, config: VideoEncoderConfig, id: 'V_VP8' | 'V_VP9'): Promise<Blob> {
  const packets: Packet[] = [];
  let problem: Error | null = null;
  const encoder = new VideoEncoder({
    output: chunk => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      packets.push({ data, time: chunk.timestamp / 1000, key: chunk.type === 'key' });
    },
    error: error => (problem = error),
  });
  encoder.configure(config);
  for (let i = 0; i < shots.count && !shots.stopped() && !problem; i++) {
    shots.draw(i);
    const picture = new VideoFrame(shots.canvas, { timestamp: Math.round((1e6 * i) / shots.rate), duration: Math.round(1e6 / shots.rate) });
    encoder.encode(picture, { keyFrame: i % KEY_EVERY === 0 });
    picture.close();
    shots.told(i + 1);
    do await wait(0);
    while (encoder.encodeQueueSize > 4 && !problem);
  }
  if (!problem) await encoder.flush();
  if (problem) throw problem;
  encoder.close();
  return webm(id, config.width, config.height, shots.rate, packets);
}

// As long as the video lasts: the browser itself says when each picture was.
async function record(shots: Shots): Promise<Blob> {
  const stream = shots.canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: 'video/webm', videoBitsPerSecond: 8e6 });
  const pieces: Blob[] = [];
  recorder.ondataavailable = event => pieces.push(event.data);
  const ended = new Promise(resolve => (recorder.onstop = resolve));
  recorder.start();
  const from = performance.now();
  for (let i = 0; i < shots.count && !shots.stopped(); i++) {
    shots.draw(i);
    track.requestFrame();
    shots.told(i + 1);
    await wait(Math.max(0, from + (1000 * (i + 1)) / shots.rate - performance.now()));
  }
  recorder.stop();
  await ended;
  return new Blob(pieces, { type: 'video/webm' });
}

export async function film(shots: Shots): Promise<Blob> {
  const chosen = await choose(shots);
  if (chosen) return encode(shots, chosen.config, chosen.id);
  if (typeof MediaRecorder !== 'undefined' && MediaRecorder.isTypeSupported('video/webm')) return record(shots);
  throw new Error('This browser makes no videos: it has neither VideoEncoder nor a MediaRecorder for WebM. Pictures can be saved one by one.');
}
