//! What parts have for each other at the end of a window, within a process and between processes.

use netloom_model::Outcome;
use rayon::prelude::*;

use super::mail::Mail;
use super::process_group::differ;
use super::windows::{WORTH, Windows};
use crate::event::message::Arrival;
use crate::event::part::Part;
use crate::event::saved::Undo;
use crate::event::state::NEVER;

/// What a process tells another at the end of a window: no event of it is before a time, arrivals, and mail of one part to
/// another.
type Told = (u64, (Vec<Arrival>, Vec<((u16, u16), Mail)>));

impl<'a, U: Undo> Windows<'a, U> {
    /// Mail to parts of this process is in their inboxes; that to others by process.
    pub(crate) fn deliver(&mut self) -> Vec<Vec<((u16, u16), Mail)>> {
        let all = self.numbers.len() as u16;
        let mut posted = vec![Vec::new(); self.group.size().into()];
        for (from, part) in self.parts.iter_mut().enumerate() {
            for (to, mail) in (0..).zip(&mut part.outbox) {
                let count = mail.packets.len() + mail.credits.len();
                self.together.mail += count as u64;
                match self.inbox.get_mut(usize::from(to).wrapping_sub(self.first.into())) {
                    Some(inbox) => std::mem::swap(mail, &mut inbox[from + usize::from(self.first)]),
                    None if count > 0 => {
                        let from = from as u16 + self.first;
                        posted[self.group.of_part(to, all)].push(((from, to), std::mem::take(mail)));
                    }
                    None => {}
                }
            }
        }
        posted
    }

    /// Tells other processes what parts have for them, and what they need to go on; all arrivals.
    pub(crate) fn tell(&mut self, posted: Vec<Vec<((u16, u16), Mail)>>, said: Vec<Arrival>) -> Outcome<Vec<Arrival>> {
        let window = self.window();
        let mails = self.inbox.iter().flatten().chain(posted.iter().flatten().map(|(_, mail)| mail));
        let soonest = mails.map(|mail| mail.soonest(window)).min().unwrap_or(NEVER);
        let soonest = self.parts.iter_mut().filter_map(|part| part.events.next()).fold(soonest, u64::min);
        let told = posted.into_iter().map(|mail| (soonest, (said.clone(), mail))).collect();
        let found: Vec<Told> = self.group.call(told)?;
        let mut all = Vec::new();
        self.elsewhere = NEVER;
        for (soonest, (said, mail)) in found {
            self.elsewhere = self.elsewhere.min(soonest);
            all.extend(said);
            for ((from, to), mail) in mail {
                let inbox = self.inbox.get_mut(usize::from(to).wrapping_sub(self.first.into()));
                let slot = inbox.and_then(|inbox| inbox.get_mut(usize::from(from)));
                *slot.ok_or_else(differ)? = mail;
            }
        }
        Ok(all)
    }

    pub(crate) fn take_in(&mut self) {
        let count: usize = self.inbox.iter().flatten().map(|mail| mail.packets.len() + mail.credits.len()).sum();
        let take =
            |(part, inbox): (&mut Part<'a, U>, &mut Vec<Mail>)| inbox.iter_mut().for_each(|mail| part.take_in(mail));
        match count {
            0 => {}
            few if few < WORTH => self.parts.iter_mut().zip(&mut self.inbox).for_each(take),
            _ => self.parts.par_iter_mut().zip(&mut self.inbox).for_each(take),
        }
    }
}
