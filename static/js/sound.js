// Small sounds, made here; silent unless the player wants them.
import { isOn } from "./prefs.js";

let context = null;

function tone(frequency, at, length, volume, type = "triangle") {
  const start = context.currentTime + at;
  const oscillator = new OscillatorNode(context, { frequency, type });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(volume, start + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
}

/** A card laid down: a short burst of soft noise. */
function tap() {
  const frames = Math.round(context.sampleRate * 0.045);
  const buffer = new AudioBuffer({ length: frames, sampleRate: context.sampleRate });
  const data = buffer.getChannelData(0);
  for (let i = 0; i < frames; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / frames) ** 4;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 1400, Q: 0.8 });
  source.connect(filter).connect(new GainNode(context, { gain: 0.35 })).connect(context.destination);
  source.start();
}

const SOUNDS = {
  move: tap,
  up: () => { tap(); tone(660, 0, 0.16, 0.06); },
  refused: () => tone(150, 0, 0.14, 0.12, "sine"),
  won: () => [523, 659, 784, 1047].forEach((frequency, index) => tone(frequency, index * 0.11, 0.5, 0.09)),
};

/** Play a sound: move, up, refused or won. */
export function sound(name) {
  if (!isOn("sound")) return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  SOUNDS[name]();
}
