import type { components } from "./schema";
import type { Sent } from "./types";

type Schemas = components["schemas"];

/** What became of one slot of a schedule. */
export type Fire = Sent<Schemas["Fire"]>;
/** Fires with what the decisions of their gates are worth. */
export type FireRows = { items: Fire[]; caution?: Schemas["Text"] };
/** A schedule with its newest slot. */
export type ScheduleRow = Omit<Sent<Schemas["ScheduleRow"]>, "$schema" | "last" | "caution"> & { last?: Fire; caution?: Schemas["Text"] };
/** A slot to come, by the clock of its zone and in UTC. */
export type Slot = Sent<Schemas["Slot"]>;
/** What a timetable means: its next slots, or what is wrong with it. */
export type TimetablePreview = Omit<Sent<Schemas["Preview"]>, "$schema">;
/** What is sent to register or change a schedule. */
export type ScheduleBody = Schemas["ScheduleInputBody"];
/** What arrived of the traces that programs send. */
export type TracesStatus = Sent<Schemas["Status"]>;
/** An amount of money, or a number of calls. */
export type Budget = Schemas["Budget"];
/** A message with what was tried to deliver it. */
export type NoticeRow = Sent<Schemas["NoticeRow"]>;
/** Where messages can go. */
export type ChannelRow = Sent<Schemas["ChannelRow"]>;
